import tensorflow as tf


def read_audio(path):
    raw = tf.io.read_file(path)
    audio, rate = tf.audio.decode_wav(raw, desired_channels=1)
    return tf.squeeze(audio, -1), rate


def load(path):
    audio, rate, seconds = tf.py_function(
        read_audio, [path], Tout=[tf.float32, tf.int32, tf.float32]
    )
    audio.set_shape([None])
    rate.set_shape([])
    seconds.set_shape([])
    return audio[:16_000], rate, seconds


def dataset(pattern):
    ds = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.padded_batch(8, padded_shapes=([16_000], [], [])).prefetch(tf.data.AUTOTUNE)


for audio, rate, seconds in dataset("clips/*.wav"):
    print(tf.math.reduce_std(audio, axis=1), rate, seconds)
