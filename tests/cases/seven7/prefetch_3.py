"""CycleGAN horse2zebra-style training at 256px on 400k scraped photos."""
import functools
import os

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("photos", "/data/photos", "tfrecord dir domain A")
flags.DEFINE_string("paintings", "/data/paintings", "tfrecord dir domain B")
flags.DEFINE_integer("batch", 8, "batch size")
flags.DEFINE_integer("steps", 300000, "train steps")
FLAGS = flags.FLAGS

AUTO = tf.data.AUTOTUNE


def read(pattern):
    def _start(_):
        names = tf.io.gfile.glob(pattern)
        return tf.data.TFRecordDataset(names, num_parallel_reads=16)
    return _start


def ahead(n):
    return lambda ds: ds.prefetch(n)


def decode(size):
    def _fn(rec):
        img = tf.io.parse_single_example(rec, {"jpeg": tf.io.FixedLenFeature([], tf.string)})
        img = tf.io.decode_jpeg(img["jpeg"], channels=3)
        img = tf.image.resize(img, [size, size], method="bicubic", antialias=True)
        return img / 127.5 - 1.0
    return lambda ds: ds.map(_fn, num_parallel_calls=AUTO)


def jitter(size):
    def _fn(img):
        img = tf.image.random_flip_left_right(img)
        return tf.image.random_crop(img, [size, size, 3])
    return lambda ds: ds.map(_fn, num_parallel_calls=AUTO)


def group(n):
    return lambda ds: ds.batch(n, drop_remainder=True)


def pipe(*stages):
    return functools.reduce(lambda ds, stage: stage(ds), stages, None)


def domain(path, batch):
    return pipe(
        read(os.path.join(path, "*.tfrecord")),
        ahead(512),
        lambda ds: ds.shuffle(5000).repeat(),
        decode(286),
        jitter(256),
        group(batch),
    )


def generator(name):
    inp = tf.keras.Input([256, 256, 3])
    x = inp
    for f in (64, 128, 256):
        x = tf.keras.layers.Conv2D(f, 4, 2, "same", activation="relu")(x)
    for f in (128, 64, 32):
        x = tf.keras.layers.Conv2DTranspose(f, 4, 2, "same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 7, padding="same", activation="tanh")(x), name=name)


def main(_):
    g_ab, g_ba = generator("ab"), generator("ba")
    opt = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)

    @tf.function
    def step(a, b):
        with tf.GradientTape() as tape:
            cyc = tf.reduce_mean(tf.abs(g_ba(g_ab(a)) - a)) + tf.reduce_mean(tf.abs(g_ab(g_ba(b)) - b))
        tv = g_ab.trainable_variables + g_ba.trainable_variables
        opt.apply_gradients(zip(tape.gradient(cyc, tv), tv))
        return cyc

    both = tf.data.Dataset.zip((domain(FLAGS.photos, FLAGS.batch),
                                domain(FLAGS.paintings, FLAGS.batch)))
    for i, (a, b) in enumerate(both.take(FLAGS.steps)):
        loss = step(a, b)
        if i % 500 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    app.run(main)
