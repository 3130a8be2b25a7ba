import time

import numpy as np
import tensorflow as tf

IMG_SHAPE = (1024, 1024, 3)
STEPS = 200
GPU = "/gpu:0"


def frames():
    """Camera frames come from a ring buffer in shared memory."""
    ring = np.memmap("frames.bin", dtype="float32", mode="r", shape=(64,) + IMG_SHAPE)
    for i in range(STEPS * 4):
        yield ring[i % 64]


def make_dataset(mode):
    dataset = tf.data.Dataset.from_generator(
        frames,
        output_signature=tf.TensorSpec(IMG_SHAPE, tf.float32),
    )
    dataset = dataset.batch(4, drop_remainder=True)

    if mode == "plain":
        dataset = dataset.prefetch(tf.data.AUTOTUNE)
    elif mode == "copy":
        dataset = dataset.apply(tf.data.experimental.copy_to_device(GPU))
        dataset = dataset.prefetch(2)
    elif mode == "prefetch":
        gpu_transform = tf.data.experimental.prefetch_to_device(GPU, buffer_size=2)
        dataset.apply(gpu_transform)
    return dataset


def build_net():
    return tf.keras.Sequential([
        tf.keras.Input(IMG_SHAPE),
        tf.keras.layers.Conv2D(32, 7, strides=4, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
    ])


@tf.function
def step(net, batch):
    return net(batch, training=False)


def benchmark(mode):
    net = build_net()
    start = time.perf_counter()
    for batch in make_dataset(mode):
        step(net, batch)
    return time.perf_counter() - start


if __name__ == "__main__":
    for mode in ("plain", "copy", "prefetch"):
        print(mode, benchmark(mode))
