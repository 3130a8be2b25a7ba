"""Speaker verification trainer with profiling on demand."""
import sys

import tensorflow as tf


def utterances(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(10_000).repeat().batch(128, drop_remainder=True)

    def parse(rows):
        ex = tf.io.parse_example(rows, {
            "fbank": tf.io.FixedLenFeature([200, 80], tf.float32),
            "speaker": tf.io.FixedLenFeature([], tf.int64),
        })
        return ex["fbank"], ex["speaker"]

    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, n_speakers=7205):
        self.net = tf.keras.Sequential([
            tf.keras.Input((200, 80)),
            tf.keras.layers.LSTM(256, return_sequences=True),
            tf.keras.layers.LSTM(256),
            tf.keras.layers.Dense(n_speakers),
        ])
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def profile(self, data, first, n, logdir):
        with tf.profiler.experimental.Profile(logdir):
            for i in range(first, first + n):
                marks = {"step_num": i, "_r": 1}
                with tf.profiler.experimental.Trace("train", **marks):
                    self.step(*next(data))

    def train(self, data, steps):
        for i in range(steps):
            loss = self.step(*next(data))
            if i % 500 == 0:
                tf.print(i, loss, output_stream=sys.stderr)


if __name__ == "__main__":
    trainer, data = Trainer(), iter(utterances("/data/voxceleb/train-*"))
    trainer.train(data, 100)
    if "--profile" in sys.argv:
        trainer.profile(data, first=100, n=8, logdir="/logs/speaker")
    trainer.train(data, 100_000)
