from dataclasses import dataclass

import tensorflow as tf


@dataclass
class LMConfig:
    corpus: str = "gs://corpora/wiki/part-*.txt"
    seq_len: int = 512
    batch_size: int = 64
    vocab: str = "vocab.txt"
    buffer: int = 200_000


class TextModule:
    """Streams lines of a sharded corpus as token ids."""

    def __init__(self, cfg: LMConfig):
        self.cfg = cfg
        init = tf.lookup.TextFileInitializer(
            cfg.vocab, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
        self.table = tf.lookup.StaticHashTable(init, 0)

    def _lines(self, path):
        lines = tf.data.TextLineDataset(path)
        return lines.filter(lambda line: tf.strings.length(line) > 20)

    def setup(self):
        shards = tf.io.gfile.glob(self.cfg.corpus)
        order = tf.data.Dataset.from_tensor_slices(shards).shuffle(len(shards))
        self.lines = order.flat_map(self._lines)

    def _encode(self, batch):
        ids = self.table.lookup(tf.strings.split(batch))
        ids = ids.to_tensor(shape=[None, self.cfg.seq_len + 1])
        return ids[:, :-1], ids[:, 1:]

    def train_dataset(self):
        ds = self.lines.shuffle(self.cfg.buffer)
        ds = ds.batch(self.cfg.batch_size, drop_remainder=True)
        ds = ds.map(self._encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    module = TextModule(LMConfig())
    module.setup()
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(32000, 256),
        tf.keras.layers.LSTM(512, return_sequences=True),
        tf.keras.layers.Dense(32000),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(module.train_dataset(), epochs=5)


if __name__ == "__main__":
    main()
