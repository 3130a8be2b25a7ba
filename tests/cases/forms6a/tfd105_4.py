import functools
import pathlib

import tensorflow as tf


class RecordSource:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    def paths(self, split):
        return sorted(str(p) for p in (self.root / split).glob("*.tfrecord"))

    def read(self, split):
        reader = functools.partial(
            tf.data.TFRecordDataset, num_parallel_reads=tf.data.AUTOTUNE)
        return reader(self.paths(split))


class SpeechCommands(RecordSource):
    spec = {
        "mel": tf.io.FixedLenFeature([98, 64], tf.float32),
        "word": tf.io.FixedLenFeature([], tf.int64),
    }

    def parse(self, records):
        row = tf.io.parse_example(records, self.spec)
        return row["mel"], row["word"]

    def dataset(self, split, batch_size=256):
        ds = self.read(split)
        if split == "train":
            ds = ds.shuffle(30_000)
        ds = ds.batch(batch_size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    source = SpeechCommands("/mnt/nfs/speech_commands_records")
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.Bidirectional(tf.keras.layers.GRU(64)),
        tf.keras.layers.Dense(35),
    ])
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"])
    model.fit(source.dataset("train"), validation_data=source.dataset("dev"), epochs=20)


if __name__ == "__main__":
    main()
