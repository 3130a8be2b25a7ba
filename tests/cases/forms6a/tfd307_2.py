import argparse

import tensorflow as tf


class ExperimentInput:
    """Builds the input step by step from the command line."""

    def __init__(self, args):
        self.args = args
        self.ds = None

    def open(self):
        names = tf.io.gfile.glob(self.args.pattern)
        self.ds = tf.data.TFRecordDataset(
            names, num_parallel_reads=tf.data.AUTOTUNE)
        return self

    def repeated(self):
        if self.args.epochs != 1:
            self.ds = self.ds.repeat(self.args.epochs)
        return self

    def shuffled(self):
        if self.args.shuffle:
            self.ds = self.ds.shuffle(
                self.args.shuffle, reshuffle_each_iteration=True)
        return self

    def batched(self):
        self.ds = self.ds.batch(self.args.batch_size, drop_remainder=True)
        self.ds = self.ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def parse(self, records):
        row = tf.io.parse_example(records, {
            "x": tf.io.FixedLenFeature([self.args.width], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.float32),
        })
        return row["x"], row["y"]

    def build(self):
        return self.open().repeated().shuffled().batched().ds.prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/data/higgs/*.tfrecord")
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--shuffle", type=int, default=100_000)
    p.add_argument("--batch-size", type=int, default=1024)
    p.add_argument("--width", type=int, default=28)
    args = p.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(300, activation="relu"),
        tf.keras.layers.Dense(300, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(ExperimentInput(args).build(), epochs=1)


if __name__ == "__main__":
    main()
