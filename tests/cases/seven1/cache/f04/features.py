import tensorflow as tf


def log_mel(wave):
    spec = tf.abs(tf.signal.stft(wave, frame_length=1024, frame_step=320, fft_length=1024))
    weights = tf.signal.linear_to_mel_weight_matrix(80, 513, 16000, 60.0, 7600.0)
    return tf.math.log(tf.matmul(spec, weights) + 1e-6)


def load_features(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=48000)
    return log_mel(tf.squeeze(wave, -1)), label
