import os
import time

import tensorflow as tf

Trace = tf.profiler.experimental.Trace


class Trainer:
    def __init__(self, model, optimizer, loss, logdir, window=(20, 60)):
        self.model = model
        self.optimizer = optimizer
        self.loss = loss
        self.logdir = logdir
        self.window = window
        self.global_step = 0

    @tf.function
    def _step(self, tokens, labels):
        with tf.GradientTape() as tape:
            value = self.loss(labels, self.model(tokens, training=True))
        grads = tape.gradient(value, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return value

    def _traced(self, batch):
        with Trace("fit", step_num=self.global_step, _r=1):
            return self._step(*batch)

    def _toggle(self):
        if self.global_step == self.window[0]:
            tf.profiler.experimental.start(self.logdir)
        elif self.global_step == self.window[1]:
            tf.profiler.experimental.stop()

    def run_epoch(self, dataset):
        began = time.time()
        for batch in dataset:
            self._toggle()
            value = self._traced(batch)
            self.global_step += 1
        return float(value), time.time() - began


def news(pattern, batch=64):
    def parse(recs):
        ex = tf.io.parse_example(recs, {
            "tokens": tf.io.FixedLenFeature([200], tf.int64), "topic": tf.io.FixedLenFeature([], tf.int64)})
        return ex["tokens"], ex["topic"]

    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).batch(batch)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Embedding(30000, 128),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(4),
    ])
    trainer = Trainer(net, tf.keras.optimizers.Adam(),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      os.path.join("logs", "news"))
    data = news("/data/agnews/train-*.tfrecord")
    for epoch in range(3):
        print(epoch, *trainer.run_epoch(data))
