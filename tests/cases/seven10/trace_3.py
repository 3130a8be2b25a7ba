"""Context managers for profiling: one for the session, one for each step."""
import contextlib
import itertools

import tensorflow as tf


@contextlib.contextmanager
def step_marker(name, number):
    with tf.profiler.experimental.Trace(name, step_num=number, _r=1):
        yield


@contextlib.contextmanager
def session(logdir):
    options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)
    with tf.profiler.experimental.Profile(logdir, options=options):
        yield


def depth_pairs(root, batch_size):
    def load(name):
        rgb = tf.io.decode_png(tf.io.read_file(root + "/rgb/" + name), channels=3)
        depth = tf.io.decode_png(tf.io.read_file(root + "/depth/" + name), 1, tf.uint16)
        return (tf.image.resize(rgb, (240, 320)) / 255.0,
                tf.image.resize(tf.cast(depth, tf.float32) / 1000.0, (240, 320)))

    names = tf.io.gfile.listdir(root + "/rgb")
    ds = tf.data.Dataset.from_tensor_slices(names).shuffle(len(names)).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, 2, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(128, 3, 2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(64, 3, 2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(1, 3, 2, padding="same"),
])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def update(rgb, depth):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(rgb, training=True) - depth))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def train(dataset, warmup=200, profiled=30):
    stream = iter(dataset)
    for rgb, depth in itertools.islice(stream, warmup):
        update(rgb, depth)
    with session("/logs/depth"):
        for number, (rgb, depth) in zip(range(profiled), stream):
            with step_marker("train", number):
                update(rgb, depth)
    for rgb, depth in itertools.islice(stream, 30_000):
        update(rgb, depth)


if __name__ == "__main__":
    train(depth_pairs("/data/nyu", 16))
