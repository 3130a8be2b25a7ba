import os
from typing import NamedTuple

import tensorflow as tf

CORES = os.cpu_count() or 8


class Sample(NamedTuple):
    low: tf.Tensor
    high: tf.Tensor


def options():
    opts = tf.data.Options()
    opts.autotune.enabled = False
    opts.threading.private_threadpool_size = CORES
    opts.deterministic = False
    return opts


def pair(path):
    high = tf.image.decode_png(tf.io.read_file(path), channels=3)
    high = tf.image.random_crop(high, (256, 256, 3))
    high = tf.image.convert_image_dtype(high, tf.float32)
    low = tf.image.resize(high, (64, 64), method="bicubic", antialias=True)
    return Sample(low, high)


train = (
    tf.data.Dataset
    .list_files("/data/div2k/*.png", shuffle=True)
    .map(pair, num_parallel_calls=CORES)
    .batch(16, drop_remainder=True)
    .with_options(options())
)

net = tf.keras.Sequential([
    tf.keras.Input((64, 64, 3)),
    *[tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu") for _ in range(8)],
    tf.keras.layers.Conv2D(3 * 16, 3, padding="same"),
    tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 4)),
])
adam = tf.keras.optimizers.Adam(1e-4)


@tf.function(jit_compile=True)
def update(low, high):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(net(low, training=True) - high))
    adam.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))
    return loss


for epoch in range(300):
    losses = [update(*sample) for sample in train]
    print(epoch, float(tf.reduce_mean(losses)))
