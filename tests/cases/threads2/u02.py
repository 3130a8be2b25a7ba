import glob
import os

import numpy as np
import tensorflow as tf

OUT_DIR = "tables_tfrecords"
NUM_FEATURES = 5
MAX_WORDS = 900


def write_shard(index, tables):
    """Each shard has a few hundred synthetic document tables."""
    options = tf.io.TFRecordOptions(compression_type="GZIP")
    path = os.path.join(OUT_DIR, "%05d.tfrecord.gz" % index)
    with tf.io.TFRecordWriter(path, options=options) as writer:
        for features, adjacency in tables:
            example = tf.train.Example(features=tf.train.Features(feature={
                "vertex_features": tf.train.Feature(
                    float_list=tf.train.FloatList(value=features.flatten())),
                "adjacency": tf.train.Feature(
                    int64_list=tf.train.Int64List(value=adjacency.flatten())),
            }))
            writer.write(example.SerializeToString())


def generate(num_shards, rng=np.random.default_rng(3)):
    os.makedirs(OUT_DIR, exist_ok=True)
    for i in range(num_shards):
        write_shard(i, [(rng.random((MAX_WORDS, NUM_FEATURES), dtype=np.float32),
                         rng.integers(0, 2, (MAX_WORDS,))) for _ in range(200)])


def parse(batch):
    parsed = tf.io.parse_example(batch, {
        "vertex_features": tf.io.FixedLenFeature([MAX_WORDS, NUM_FEATURES], tf.float32),
        "adjacency": tf.io.FixedLenFeature([MAX_WORDS], tf.int64),
    })
    return parsed["vertex_features"], parsed["adjacency"]


def training_data(batch_size=8):
    files = sorted(glob.glob(os.path.join(OUT_DIR, "*.tfrecord.gz")))
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000).batch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    generate(16)
    model = tf.keras.Sequential([
        tf.keras.layers.Input((MAX_WORDS, NUM_FEATURES)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(2),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(training_data(), epochs=5)
