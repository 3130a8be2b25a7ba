import contextlib

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

CONFIG = {"profile": True, "profile_first": 20, "profile_last": 27, "logdir": "/tmp/taxi"}


def read_rows(path):
    defaults = [[0.0]] * 17
    return tf.data.experimental.CsvDataset(path, defaults, header=True)


def taxi_data(files, batch_size):
    ds = Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(read_rows, num_parallel_calls=AUTOTUNE, deterministic=False)
    ds = ds.shuffle(50_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda *c: (tf.stack(c[:-1], axis=1), c[-1]), num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def run_epoch(step_fn, dataset, tracer, config):
    iterator = iter(dataset)
    for index in range(config["steps"]):
        if config["profile"] and index == config["profile_first"]:
            tf.profiler.experimental.start(config["logdir"])
        with tracer(index):
            step_fn(next(iterator))
        if config["profile"] and index == config["profile_last"]:
            tf.profiler.experimental.stop()


def main(files):
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(256, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step_fn(batch):
        x, y = batch
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True)[:, 0] - y))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    if CONFIG["profile"]:
        tracer = lambda index: tf.profiler.experimental.Trace("train_step")
    else:
        tracer = lambda index: contextlib.nullcontext()
    run_epoch(step_fn, taxi_data(files, 4096), tracer, CONFIG | {"steps": 2000})
