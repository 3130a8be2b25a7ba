"""Click-through model over hashed features."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class ReaderConfig:
    glob: str = "gs://ads/ctr/day=*/part-*.tfrecord"
    batch: int = 4096
    window: int = 200_000
    training: bool = True
    slots: int = 26
    buckets: int = 1_000_000

    def for_evaluation(self):
        return dataclasses.replace(self, training=False, window=0, batch=4 * self.batch)


def reader(cfg):
    spec = {
        "cat": tf.io.FixedLenFeature([cfg.slots], tf.int64),
        "num": tf.io.FixedLenFeature([13], tf.float32),
        "click": tf.io.FixedLenFeature([1], tf.float32),
    }

    def parse(blobs):
        rows = tf.io.parse_example(blobs, spec)
        y = rows.pop("click")
        return rows, y

    files = tf.data.Dataset.list_files(cfg.glob, shuffle=cfg.training)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE,
                          deterministic=not cfg.training)
    if cfg.training:
        ds = ds.shuffle(cfg.window)
    ds = ds.batch(cfg.batch, drop_remainder=cfg.training)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class WideDeep(tf.keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.emb = tf.keras.layers.Embedding(cfg.buckets, 16)
        self.flat = tf.keras.layers.Flatten()
        self.deep = tf.keras.Sequential(
            [tf.keras.layers.Dense(u, activation="relu") for u in (512, 256, 64)])
        self.out = tf.keras.layers.Dense(1, activation="sigmoid")

    def call(self, x):
        e = self.flat(self.emb(x["cat"]))
        return self.out(self.deep(tf.concat([e, tf.math.log1p(x["num"])], axis=-1)))


def main():
    cfg = ReaderConfig()
    model = WideDeep(cfg)
    model.compile("adagrad", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(reader(cfg), epochs=1)
    result = model.evaluate(reader(cfg.for_evaluation()), return_dict=True)
    print("held-out AUC", result)


if __name__ == "__main__":
    main()
