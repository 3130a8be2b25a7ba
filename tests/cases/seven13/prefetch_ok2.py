"""Input readers for satellite tiles; the base class closes every pipeline."""
import abc
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class ReaderConfig:
    pattern: str = "/data/eurosat_large/train-*.tfrecord"
    batch: int = 256
    readers: int = 16


class BaseReader(abc.ABC):
    def __init__(self, cfg):
        self.cfg = cfg

    @abc.abstractmethod
    def parse(self, record):
        ...

    def source(self):
        files = tf.data.Dataset.list_files(self.cfg.pattern)
        return files.interleave(tf.data.TFRecordDataset, cycle_length=self.cfg.readers,
                                num_parallel_calls=self.cfg.readers)

    def batches(self):
        ds = self.source().shuffle(10_000).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg.batch, drop_remainder=True)

    def __call__(self):
        return self.batches().apply(tf.data.experimental.prefetch_to_device("/gpu:0", buffer_size=2))


class TileReader(BaseReader):
    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "tile": tf.io.FixedLenFeature([], tf.string),
            "landuse": tf.io.FixedLenFeature([], tf.int64),
        })
        tile = tf.io.decode_png(ex["tile"], channels=3)
        return tf.image.random_crop(tile, [224, 224, 3]), ex["landuse"]


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.net = tf.keras.applications.DenseNet121(weights=None, include_top=False, pooling="avg")
        self.head = tf.keras.layers.Dense(10)

    def call(self, x, training=False):
        return self.head(self.net(tf.cast(x, tf.float32) / 255.0, training=training))


if __name__ == "__main__":
    model = Classifier()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(TileReader(ReaderConfig())(), steps_per_epoch=2000, epochs=60)
