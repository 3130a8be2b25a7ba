import functools

import numpy as np
import tensorflow as tf

TRAIN_SIZE = 200_000
BATCH = 64
STEPS = TRAIN_SIZE // BATCH


def load_volume(path):
    def read(p):
        return np.load(p.decode()).astype(np.float32)

    volume = tf.numpy_function(read, [path], tf.float32)
    return tf.ensure_shape(volume, (64, 64, 64, 1))


STAGES = [
    lambda ds: ds.shuffle(20_000),
    lambda ds: ds.map(load_volume, num_parallel_calls=8),
    lambda ds: ds.batch(BATCH),
    lambda ds: ds.prefetch(STEPS),
]


def pipeline(paths):
    start = tf.data.Dataset.from_tensor_slices(paths)
    return functools.reduce(lambda ds, stage: stage(ds), STAGES, start)


def autoencoder():
    return tf.keras.Sequential([
        tf.keras.layers.Input((64, 64, 64, 1)),
        tf.keras.layers.Conv3D(16, 3, strides=2, padding="same", activation="relu"),
        tf.keras.layers.Conv3DTranspose(1, 3, strides=2, padding="same"),
    ])


def main():
    ds = pipeline(tf.io.gfile.glob("/data/ct/train/*.npy"))
    pairs = ds.map(lambda v: (v, v))
    model = autoencoder()
    model.compile("adam", "mse")
    model.fit(pairs, epochs=30)


if __name__ == "__main__":
    main()
