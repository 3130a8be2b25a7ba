import argparse

import tensorflow as tf

SPEC = {"tokens": tf.io.FixedLenFeature([256], tf.int64), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    return ex["tokens"], ex["label"]


class Experiment:
    def __init__(self, args):
        self.args = args
        self.fit_kwargs = {
            "epochs": args.epochs,
            "batch_size": args.batch_size,
            "callbacks": [tf.keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)],
        }

    def loader(self, split):
        files = tf.io.gfile.glob(f"{self.args.data}/{split}-*.tfrecord")
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        if split == "train":
            ds = ds.shuffle(30_000)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(32).prefetch(tf.data.AUTOTUNE)

    def run(self):
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(32000, 128), tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
            tf.keras.layers.Dense(5, activation="softmax")])
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        train, valid = self.loader("train"), self.loader("valid")
        return model.fit(train, validation_data=valid, **self.fit_kwargs)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/reviews")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch-size", type=int, default=64)
    Experiment(p.parse_args()).run()
