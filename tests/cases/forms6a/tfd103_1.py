import argparse
import dataclasses

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


@dataclasses.dataclass(frozen=True)
class ReaderConfig:
    pattern: str
    cycle_length: int = 16
    block_length: int = 4
    buffer_mb: int = 8
    batch_size: int = 256


class ClickLogModule:
    FEATURES = {
        "dense": tf.io.FixedLenFeature([13], tf.float32),
        "cat": tf.io.FixedLenFeature([26], tf.int64),
        "label": tf.io.FixedLenFeature([], tf.float32),
    }

    def __init__(self, config):
        self.config = config

    def _open(self, path):
        return tf.data.TFRecordDataset(path, buffer_size=self.config.buffer_mb << 20)

    def _parse(self, records):
        row = tf.io.parse_example(records, self.FEATURES)
        label = row.pop("label")
        return row, label

    def _records(self):
        files = tf.data.Dataset.list_files(self.config.pattern, shuffle=True)
        return files.interleave(
            self._open,
            cycle_length=self.config.cycle_length,
            block_length=self.config.block_length,
        )

    def train(self):
        ds = self._records().shuffle(100_000)
        ds = ds.batch(self.config.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=AUTOTUNE)
        return ds.prefetch(AUTOTUNE)


def build_model():
    dense = tf.keras.Input([13], name="dense")
    cat = tf.keras.Input([26], name="cat", dtype="int64")
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(1_000_000, 16)(cat))
    x = tf.keras.layers.Concatenate()([dense, emb])
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    out = tf.keras.layers.Dense(1, activation="sigmoid")(x)
    model = tf.keras.Model({"dense": dense, "cat": cat}, out)
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="gs://ads-logs/train/part-*.tfrecord")
    args = parser.parse_args()
    module = ClickLogModule(ReaderConfig(args.pattern))
    build_model().fit(module.train(), epochs=3)
