import functools
import os

import tensorflow as tf


def cached(path):
    def decorate(source):
        @functools.wraps(source)
        def inner(*args, **kwargs):
            return source(*args, **kwargs).cache(path)
        return inner
    return decorate


@cached(os.path.join(os.environ.get("SCRATCH", "/tmp"), "depth.cache"))
def records(pattern):
    shards = tf.data.Dataset.list_files(pattern, shuffle=False)
    return shards.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)


def rgbd(record):
    ex = tf.io.parse_single_example(record, {k: tf.io.FixedLenFeature([], tf.string) for k in ("rgb", "depth")})
    rgb = tf.io.decode_png(ex["rgb"], channels=3)
    depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
    rgb = tf.image.resize(rgb, (120, 160), antialias=True) / 255.0
    depth = tf.image.resize(tf.cast(depth, tf.float32), (120, 160), method="nearest") / 10_000.0
    return rgb, depth


dataset = (records("/data/nyu/train-*.tfrecord")
           .shuffle(2048)
           .map(rgbd, num_parallel_calls=tf.data.AUTOTUNE)
           .batch(16, drop_remainder=True)
           .prefetch(tf.data.AUTOTUNE))

encoder = tf.keras.applications.MobileNetV2((120, 160, 3), include_top=False, weights=None)
up = tf.keras.Sequential()
for width in (256, 128, 64, 32, 16):
    up.add(tf.keras.layers.Conv2DTranspose(width, 3, strides=2, padding="same", activation="relu"))
up.add(tf.keras.layers.Conv2D(1, 3, padding="same"))
up.add(tf.keras.layers.Resizing(120, 160))
net = tf.keras.Sequential([encoder, up])
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def step(rgb, depth):
    with tf.GradientTape() as tape:
        gap = tf.math.log(tf.nn.softplus(net(rgb, training=True)) + 1e-3) - tf.math.log(depth + 1e-3)
        loss = tf.reduce_mean(gap ** 2) - 0.5 * tf.reduce_mean(gap) ** 2
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


for epoch in range(100):
    for rgb, depth in dataset:
        loss = step(rgb, depth)
    print(epoch, float(loss))
