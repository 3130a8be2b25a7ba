"""LibriSpeech-960h CTC acoustic model."""
import dataclasses
import glob
from typing import Optional

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class FrontEnd:
    rate: int = 16000
    win: int = 400
    hop: int = 160
    fft: int = 512
    mels: int = 80


@dataclasses.dataclass(frozen=True)
class Loader:
    shards: str = "/corpora/libri960/*.tfrecord"
    batch: int = 32
    map_workers: Optional[int] = None
    readers: int = 8
    frontend: FrontEnd = FrontEnd()


def frozen_graph_options():
    o = tf.data.Options()
    o.autotune.enabled = False
    o.experimental_optimization.map_parallelization = False
    o.deterministic = True
    return o


class LibriSpeech:
    def __init__(self, cfg: Loader):
        self.cfg = cfg
        fe = cfg.frontend
        self.mel = tf.signal.linear_to_mel_weight_matrix(
            fe.mels, fe.fft // 2 + 1, fe.rate, 20.0, 7600.0)

    def _features(self, rec):
        fe = self.cfg.frontend
        ex = tf.io.parse_single_example(rec, {
            "pcm": tf.io.FixedLenFeature([], tf.string),
            "text": tf.io.VarLenFeature(tf.int64)})
        pcm = tf.cast(tf.io.decode_raw(ex["pcm"], tf.int16), tf.float32) / 32768.0
        pcm = tf.concat([pcm[:1], pcm[1:] - 0.97 * pcm[:-1]], 0)
        power = tf.abs(tf.signal.stft(pcm, fe.win, fe.hop, fe.fft)) ** 2
        logmel = tf.math.log(tf.matmul(power, self.mel) + 1e-6)
        mean, var = tf.nn.moments(logmel, [0])
        logmel = (logmel - mean) * tf.math.rsqrt(var + 1e-5)
        text = tf.sparse.to_dense(ex["text"])
        return {"x": logmel, "x_len": tf.shape(logmel)[0], "y": text, "y_len": tf.size(text)}

    def train(self):
        cfg = self.cfg
        ds = tf.data.TFRecordDataset(glob.glob(cfg.shards), num_parallel_reads=cfg.readers)
        ds = ds.shuffle(2048)
        kwargs = dict(num_parallel_calls=cfg.map_workers)
        ds = ds.map(self._features, **kwargs)
        ds = ds.padded_batch(cfg.batch, drop_remainder=True)
        return ds.prefetch(4).with_options(frozen_graph_options())


class Acoustic(tf.keras.Model):
    def __init__(self, vocab=32):
        super().__init__()
        self.rnns = [tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(512, return_sequences=True))
                     for _ in range(4)]
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, x):
        for r in self.rnns:
            x = r(x)
        return self.out(x)

    def train_step(self, b):
        with tf.GradientTape() as tape:
            logits = self(b["x"], training=True)
            loss = tf.reduce_mean(tf.nn.ctc_loss(
                tf.cast(b["y"], tf.int32), logits, b["y_len"], b["x_len"],
                logits_time_major=False, blank_index=0))
        tv = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return {"ctc": loss}


if __name__ == "__main__":
    data = LibriSpeech(Loader(batch=24)).train()
    am = Acoustic()
    am.compile(optimizer=tf.keras.optimizers.Adam(3e-4))
    am.fit(data, epochs=80)
