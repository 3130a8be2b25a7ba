"""Depth estimation: augmentations in scipy, wrapped as ops by a decorator."""
import functools

import numpy as np
import scipy.ndimage as ndi
import tensorflow as tf


def as_op(*out_types):
    def decorate(fn):
        @functools.wraps(fn)
        def op(*tensors):
            outs = tf.numpy_function(fn, tensors, list(out_types), name=fn.__name__)
            for o, t in zip(outs, tensors):
                o.set_shape(t.shape)
            return tuple(outs)
        return op
    return decorate


@as_op(tf.float32, tf.float32)
def rotate_pair(rgb, depth):
    angle = np.random.uniform(-5.0, 5.0)
    rgb = ndi.rotate(rgb, angle, reshape=False, order=1, mode="reflect")
    depth = ndi.rotate(depth, angle, reshape=False, order=0, mode="reflect")
    return rgb.astype(np.float32), depth.astype(np.float32)


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "rgb": tf.io.FixedLenFeature([], tf.string),
        "depth": tf.io.FixedLenFeature([], tf.string)})
    rgb = tf.image.convert_image_dtype(tf.io.decode_jpeg(ex["rgb"], channels=3), tf.float32)
    depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
    depth = tf.cast(depth, tf.float32) / 1000.0
    return (tf.ensure_shape(rgb, (480, 640, 3)), tf.ensure_shape(depth, (480, 640, 1)))


def nyu_dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(rotate_pair, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def berhu(y, p):
    d = tf.abs(y - p)
    c = 0.2 * tf.reduce_max(d)
    return tf.reduce_mean(tf.where(d <= c, d, (d * d + c * c) / (2.0 * c)))


if __name__ == "__main__":
    enc = tf.keras.applications.DenseNet169(include_top=False, input_shape=(480, 640, 3))
    x = enc.output
    for filters in (512, 256, 128, 64, 32):
        x = tf.keras.layers.UpSampling2D(interpolation="bilinear")(x)
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="elu")(x)
    model = tf.keras.Model(enc.input, tf.keras.layers.Conv2D(1, 3, padding="same")(x))
    model.compile(tf.keras.optimizers.Adam(1e-4), berhu)
    model.fit(nyu_dataset("/data/nyu/train-*.tfrecord", 8), epochs=20)
