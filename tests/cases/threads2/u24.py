import dataclasses
import glob
from typing import List

import tensorflow as tf

CROP = 256


@dataclasses.dataclass
class Source:
    name: str
    pattern: str
    weight: float


SOURCES: List[Source] = [
    Source("vectra_colon", "records/vectra_colon-*.tfrecord", 0.2),
    Source("mibi_decidua", "records/mibi_decidua-*.tfrecord", 0.5),
    Source("codex_colon", "records/codex_colon-*.tfrecord", 0.3),
]


def parse(record):
    parsed = tf.io.parse_single_example(record, {
        "mplex_img": tf.io.FixedLenFeature([CROP, CROP, 2], tf.float32),
        "activity": tf.io.FixedLenFeature([CROP, CROP, 1], tf.float32),
    })
    return parsed["mplex_img"], parsed["activity"]


def one_source(source):
    files = sorted(glob.glob(source.pattern))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def training_data(batch_size):
    datasets = [one_source(s) for s in SOURCES]
    ds = tf.data.Dataset.sample_from_datasets(
        datasets=datasets, weights=[s.weight for s in SOURCES])
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    inputs = tf.keras.Input((CROP, CROP, 2))
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1)(x))
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    return model


if __name__ == "__main__":
    model = build()
    model.fit(training_data(8), epochs=40)
    model.save("nimbus.keras")
