from functools import partial

import tensorflow as tf

from audio import load, to_mel

AUTO = tf.data.AUTOTUNE


def build(paths, labels):
    matrix = tf.signal.linear_to_mel_weight_matrix(64, 257, 16000)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(load, num_parallel_calls=AUTO).cache()
    ds = ds.shuffle(10_000)
    ds = ds.map(partial(to_mel, matrix=matrix), num_parallel_calls=AUTO)
    return ds.batch(128).prefetch(AUTO)


if __name__ == "__main__":
    paths = sorted(tf.io.gfile.glob("/data/speech/*/*.wav"))
    labels = [p.split("/")[-2] == "yes" for p in paths]
    model = tf.keras.Sequential([
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(build(paths, labels), epochs=30)
