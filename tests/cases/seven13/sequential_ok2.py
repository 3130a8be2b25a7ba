"""Keyword spotting reader: parallel calls given by position and by config."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class ReaderCfg:
    pattern: str = "gs://kws/train-*.tfrecord"
    readers: int = 16
    map_threads: int = 24
    batch: int = 512


class KeywordReader:
    schema = {"wav": tf.io.FixedLenFeature([], tf.string), "word": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, cfg):
        self.cfg = cfg
        self.mel = tf.signal.linear_to_mel_weight_matrix(40, 257, 16000, 20.0, 7600.0)

    def _open(self, shard):
        return tf.data.TFRecordDataset(shard, buffer_size=4 << 20)

    def _features(self, record):
        ex = tf.io.parse_single_example(record, self.schema)
        wav, _ = tf.audio.decode_wav(ex["wav"], 1, 16000)
        shift = tf.random.uniform([], -1600, 1600, tf.int32)
        wav = tf.roll(wav[:, 0], shift, 0)
        spec = tf.abs(tf.signal.stft(wav, 480, 160, 512))
        return tf.math.log(spec @ self.mel + 1e-6), ex["word"]

    def __call__(self):
        cfg = self.cfg
        files = tf.data.Dataset.list_files(cfg.pattern).repeat()
        ds = files.interleave(self._open, cfg.readers, 1, cfg.readers)
        ds = ds.shuffle(30_000)
        ds = ds.map(self._features, cfg.map_threads)
        return ds.batch(cfg.batch, drop_remainder=True).prefetch(4)


class KwsNet(tf.keras.Model):
    def __init__(self, words=35):
        super().__init__()
        self.gru = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(128))
        self.out = tf.keras.layers.Dense(words)

    def call(self, x):
        return self.out(self.gru(x))


if __name__ == "__main__":
    model = KwsNet()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(KeywordReader(ReaderCfg())(), steps_per_epoch=1500, epochs=40)
