import functools
import itertools

import tensorflow as tf


def traced(name):
    def decorate(function):
        steps = itertools.count()

        @functools.wraps(function)
        def inner(*args, **kwargs):
            with tf.profiler.experimental.Trace(name, step_num=next(steps), _r=1):
                return function(*args, **kwargs)
        return inner
    return decorate


class Ranker:
    def __init__(self, width=256):
        self.tower = tf.keras.Sequential([
            tf.keras.Input((136,)),
            *[tf.keras.layers.Dense(width, activation="selu") for _ in range(3)],
            tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.optimizer.build(self.tower.trainable_variables)

    @traced("rank")
    @tf.function
    def update(self, lists, gains):
        with tf.GradientTape() as tape:
            scores = self.tower(tf.reshape(lists, (-1, 136)), training=True)
            scores = tf.reshape(scores, tf.shape(gains))
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(gains), scores))
        weights = self.tower.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def profile(self, dataset, logdir):
        tf.profiler.experimental.start(logdir)
        try:
            for lists, gains in dataset.take(250):
                loss = self.update(lists, gains)
        finally:
            tf.profiler.experimental.stop()
        return loss


def queries(pattern):
    spec = {"docs": tf.io.FixedLenFeature([100, 136], tf.float32), "gains": tf.io.FixedLenFeature([100], tf.float32)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=8).shuffle(10_000).batch(128)
    ds = ds.map(lambda rows: tf.io.parse_example(rows, spec), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda ex: (ex["docs"], ex["gains"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


print(Ranker().profile(queries("/data/web30k/train-*.tfrecord"), "/tmp/ranker"))
