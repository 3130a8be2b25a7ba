"""Speech separation trainer with hook methods."""
from contextlib import contextmanager

import tensorflow as tf
import tensorflow.profiler.experimental as tfprof


class Loop:
    def __init__(self, dataset, total):
        self.dataset = dataset
        self.total = total

    def batches(self):
        stream = iter(self.dataset)
        for step in range(self.total):
            yield step, stream.get_next()

    @contextmanager
    def on_step(self, step):
        yield

    def run(self):
        for step, batch in self.batches():
            with self.on_step(step):
                self.update(batch)


class Separation(Loop):
    def __init__(self, dataset, total, logdir):
        super().__init__(dataset, total)
        self.logdir = logdir
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv1D(256, 16, strides=8, padding="same", activation="relu"),
            tf.keras.layers.Conv1D(256, 3, padding="same", activation="relu"),
            tf.keras.layers.Conv1DTranspose(2, 16, strides=8, padding="same"),
        ])
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.loss = tf.keras.metrics.Mean()

    @contextmanager
    def on_step(self, step):
        if step == 200:
            tfprof.start(self.logdir)
        with tfprof.Trace("separate", step_num=step, _r=1):
            yield
        if step == 230:
            tfprof.stop()
        if step % 2000 == 0:
            print(step, float(self.loss.result()))
            self.loss.reset_state()

    @tf.function
    def update(self, batch):
        mix, src = batch
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.net(mix, training=True) - src))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.loss.update_state(loss)


def mixtures(root, batch, n=32_000):
    def load(path):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=2, desired_samples=n)
        return tf.reduce_sum(wav, -1, keepdims=True), wav

    paths = tf.io.gfile.glob(f"{root}/*.wav")
    ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat()
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    Separation(mixtures("/data/wsj2mix/train", 32), 100_000, "/tmp/sep/tb").run()
