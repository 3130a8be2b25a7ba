import argparse
import pathlib

import nibabel as nib
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def volumes(root, depth, side, batch):
    scans = sorted(str(p) for p in pathlib.Path(root).glob("*/t1.nii.gz"))

    def read(path):
        scan = nib.load(path.numpy().decode()).get_fdata(dtype=np.float32)
        lo, hi = np.percentile(scan, (1, 99))
        return np.clip((scan - lo) / (hi - lo + 1e-6), 0, 1)

    def load(path):
        scan = tf.py_function(read, [path], tf.float32)
        scan.set_shape((None, None, None))
        scan = tf.image.resize(tf.transpose(scan, (2, 0, 1))[..., tf.newaxis], (side, side))
        start = tf.random.uniform((), 0, tf.maximum(tf.shape(scan)[0] - depth, 1), tf.int32)
        cube = tf.ensure_shape(scan[start:start + depth], (depth, side, side, 1))
        return cube, cube

    return (tf.data.Dataset.from_tensor_slices(scans)
            .shuffle(len(scans))
            .map(load, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def autoencoder(depth, side):
    cube = x = layers.Input((depth, side, side, 1))
    for width in (16, 32, 64):
        x = layers.Conv3D(width, 3, strides=2, padding="same", activation="relu")(x)
    for width in (32, 16):
        x = layers.Conv3DTranspose(width, 3, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(cube, layers.Conv3DTranspose(1, 3, strides=2, padding="same")(x))


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("root")
    cli.add_argument("--depth", type=int, default=64)
    cli.add_argument("--side", type=int, default=128)
    opt = cli.parse_args()
    net = autoencoder(opt.depth, opt.side)
    net.compile("adam", "mae")
    net.fit(volumes(opt.root, opt.depth, opt.side, 4), epochs=200)
