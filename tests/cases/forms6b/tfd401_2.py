import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class DataConfig:
    pattern: str = "gs://clicks/train-*.tfrecord"
    batch_size: int = 512
    shuffle_buffer: int = 100_000
    max_examples: int = 12_582_912
    training: bool = True


SCHEMA = {
    "dense": tf.io.FixedLenFeature([13], tf.float32),
    "sparse": tf.io.FixedLenFeature([26], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def limit(ds: tf.data.Dataset, cfg: DataConfig) -> tf.data.Dataset:
    ds = ds.take(cfg.max_examples)
    return ds


def parse(records):
    features = tf.io.parse_example(records, SCHEMA)
    label = features.pop("label")
    return features, label


class ClickPipeline:
    def __init__(self, cfg: DataConfig):
        self.cfg = cfg

    def read(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern, shuffle=self.cfg.training)
        return files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=not self.cfg.training,
        )

    def build(self):
        ds = self.read()
        if self.cfg.max_examples:
            limit(ds, self.cfg)
        if self.cfg.training:
            ds = ds.shuffle(self.cfg.shuffle_buffer)
        ds = ds.batch(self.cfg.batch_size, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    dense = tf.keras.Input((13,), name="dense")
    sparse = tf.keras.Input((26,), dtype="int64", name="sparse")
    emb = tf.keras.layers.Embedding(1_000_000, 16)(sparse)
    x = tf.keras.layers.Concatenate()([dense, tf.keras.layers.Flatten()(emb)])
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    return tf.keras.Model([dense, sparse], tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = build_model()
    model.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    model.fit(ClickPipeline(DataConfig()).build(), epochs=2)
