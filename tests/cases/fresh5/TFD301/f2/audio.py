import tensorflow as tf


def load(path, label):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    return tf.squeeze(wav, -1), label


def to_mel(wav, label, matrix):
    stft = tf.signal.stft(wav, frame_length=400, frame_step=160, fft_length=512)
    mel = tf.matmul(tf.abs(stft), matrix)
    return tf.math.log(mel + 1e-6), label
