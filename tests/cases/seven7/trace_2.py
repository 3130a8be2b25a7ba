"""Trainer for a Tacotron-like mel decoder (LJSpeech + LibriTTS)."""
import contextlib
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class TrainerConfig:
    shards: str = "/corpora/libritts/*.tfrecord"
    logdir: str = "/logs/taco"
    batch: int = 48
    epoch_steps: int = 2000
    epochs: int = 150
    profile_epoch: int = 1
    profile_steps: int = 50


def pipeline(cfg):
    spec = {"text": tf.io.VarLenFeature(tf.int64), "mel": tf.io.FixedLenFeature([], tf.string)}

    def parse(r):
        ex = tf.io.parse_single_example(r, spec)
        mel = tf.reshape(tf.io.decode_raw(ex["mel"], tf.float32), [-1, 80])
        return tf.sparse.to_dense(ex["text"]), mel

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(cfg.shards), num_parallel_reads=8)
    ds = ds.shuffle(4000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.padded_batch(cfg.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Seq2Mel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(256, 256)
        self.enc = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256, return_sequences=True))
        self.pre = tf.keras.layers.Dense(512, "relu")
        self.dec = tf.keras.layers.LSTM(512, return_sequences=True)
        self.att = tf.keras.layers.Attention()
        self.out = tf.keras.layers.Dense(80)

    def call(self, inputs):
        text, mel = inputs
        memory = self.enc(self.emb(text))
        shifted = tf.pad(mel, [[0, 0], [1, 0], [0, 0]])[:, :-1]
        h = self.dec(self.pre(shifted))
        return self.out(tf.concat([h, self.att([h, memory])], -1))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Seq2Mel()
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.batches = iter(pipeline(cfg))

    @tf.function(reduce_retracing=True)
    def _step(self, text, mel):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.net((text, mel)) - mel))
        tv = self.net.trainable_variables
        grads, _ = tf.clip_by_global_norm(tape.gradient(loss, tv), 1.0)
        self.opt.apply_gradients(zip(grads, tv))
        return loss

    def _run_steps(self, n):
        mean = tf.keras.metrics.Mean()
        for _ in range(n):
            text, mel = next(self.batches)
            mean.update_state(self._step(text, mel))
        return mean.result()

    def _profiler(self, epoch):
        if epoch == self.cfg.profile_epoch:
            return tf.profiler.experimental.Profile(self.cfg.logdir)
        return contextlib.nullcontext()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            with self._profiler(epoch):
                self._run_steps(self.cfg.profile_steps)
            loss = self._run_steps(self.cfg.epoch_steps - self.cfg.profile_steps)
            print(epoch, float(loss))
            self.net.save_weights(f"{self.cfg.logdir}/taco.weights.h5")


if __name__ == "__main__":
    Trainer(TrainerConfig()).fit()
