import os

import tensorflow as tf


class AdReader:
    """Reads criteo style rows; used by the nightly job."""

    DEFAULTS = [[0.0]] + [[0.0]] * 13 + [[""]] * 26

    def __init__(self, root, batch_size=2048, workers=16):
        self.root = root
        self.batch_size = batch_size
        self.workers = workers

    def _rows(self, path):
        return tf.data.TextLineDataset(path)

    def _parse(self, lines):
        cols = tf.io.decode_csv(lines, self.DEFAULTS, field_delim="\t")
        dense = tf.math.log1p(tf.nn.relu(tf.stack(cols[1:14], axis=1)))
        cats = tf.stack(cols[14:], axis=1)
        return (dense, tf.strings.to_hash_bucket_fast(cats, 100_000)), cols[0]

    def __call__(self):
        files = tf.data.Dataset.list_files(os.path.join(self.root, "day_*"), shuffle=True)
        steps = [
            tf.contrib.data.parallel_interleave(
                self._rows, cycle_length=self.workers, sloppy=True
            ),
            tf.contrib.data.ignore_errors(),
        ]
        ds = files
        for step in steps:
            ds = ds.apply(step)
        ds = ds.shuffle(500_000)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def dlrm():
    dense = tf.keras.Input((13,))
    cats = tf.keras.Input((26,), dtype="int64")
    bottom = tf.keras.layers.Dense(16, activation="relu")(dense)
    table = tf.keras.layers.Embedding(100_000, 16)(cats)
    flat = tf.keras.layers.Flatten()(table)
    x = tf.keras.layers.Concatenate()([bottom, flat])
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model([dense, cats], tf.keras.layers.Dense(1, activation="sigmoid")(x))


def main():
    model = dlrm()
    model.compile("adagrad", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(AdReader("/data/criteo")(), epochs=1)


if __name__ == "__main__":
    main()
