"""Remote sensing (16-bit multi-band GeoTIFF) classification with rasterio."""
import glob
import os

import numpy as np
import rasterio
import tensorflow as tf


def as_graph_op(dtype, shape):
    """Decorator: lets a NumPy function be used inside Dataset.map."""
    def wrap(fn):
        def inner(*tensors):
            out = tf.numpy_function(fn, tensors, dtype)
            return tf.ensure_shape(out, shape)
        return inner
    return wrap


@as_graph_op(tf.float32, [128, 128, 13])
def read_window(path):
    with rasterio.open(path.decode()) as src:
        col = np.random.randint(0, src.width - 128)
        row = np.random.randint(0, src.height - 128)
        window = rasterio.windows.Window(col, row, 128, 128)
        bands = src.read(window=window)
    return np.moveaxis(bands, 0, -1).astype(np.float32) / 1e4


def make_training(root, batch, classes):
    paths = sorted(glob.glob(os.path.join(root, "*", "*.tif")))
    labels = [classes.index(os.path.basename(os.path.dirname(p))) for p in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths)).repeat()
    ds = ds.map(lambda p, y: (read_window(p), y), num_parallel_calls=32)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(root="/data/bigearth/tiles", batch=128):
    classes = sorted(os.listdir(root))
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        net = tf.keras.applications.ResNet50V2(
            weights=None, input_shape=(128, 128, 13), classes=len(classes))
        net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(make_training(root, batch * strategy.num_replicas_in_sync, classes),
            steps_per_epoch=2000, epochs=50)


if __name__ == "__main__":
    main()
