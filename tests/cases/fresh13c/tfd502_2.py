"""Distributed custom loop with a short profile after warm-up."""
import contextlib
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class RunConfig:
    pattern: str = "/data/lm/train-*.tfrecord"
    logdir: str = "/logs/lm"
    global_batch: int = 256
    steps: int = 50_000
    profile_at: int = 200
    profile_len: int = 5


class LmTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Embedding(16000, 512),
                                              tf.keras.layers.LSTM(1024, return_sequences=True),
                                              tf.keras.layers.Dense(16000)])
            self.optimizer = tf.keras.optimizers.Adam(1e-3)
            self.model.build((None, 128))
            self.optimizer.build(self.model.trainable_variables)

    def data(self):
        def parse(raw):
            ids = tf.io.parse_example(raw, {"ids": tf.io.FixedLenFeature([129], tf.int64)})["ids"]
            return ids[:, :-1], ids[:, 1:]

        ds = tf.data.Dataset.list_files(self.cfg.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).repeat().batch(self.cfg.global_batch, drop_remainder=True)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
        return iter(self.strategy.experimental_distribute_dataset(ds))

    @tf.function
    def train_step(self, batch):
        def replica(x, y):
            with tf.GradientTape() as tape:
                logits = self.model(x, training=True)
                ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
                loss = tf.reduce_sum(tf.reduce_mean(ce, -1)) / self.cfg.global_batch
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
            return loss

        return self.strategy.reduce("SUM", self.strategy.run(replica, args=batch), axis=None)

    def run(self):
        data = self.data()
        begin, end = self.cfg.profile_at, self.cfg.profile_at + self.cfg.profile_len
        for step in range(self.cfg.steps):
            if step == begin:
                tf.profiler.experimental.start(self.cfg.logdir)
            profiled = begin <= step < end
            with tf.profiler.experimental.Trace("lm_step", _r=1) if profiled else contextlib.nullcontext():
                loss = self.train_step(next(data))
            if step == end - 1:
                tf.profiler.experimental.stop()
            if step % 500 == 0:
                print(step, float(loss))


if __name__ == "__main__":
    LmTrainer(RunConfig()).run()
