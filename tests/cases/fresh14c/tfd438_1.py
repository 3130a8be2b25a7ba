import os

import numpy as np
import tensorflow as tf

OUT_DIR = "/tmp/pointclouds"
SHARDS = 8
POINTS = 1024


def make_example(points, label):
    return tf.train.Example(
        features=tf.train.Features(
            feature={
                "points": tf.train.Feature(float_list=tf.train.FloatList(value=points.ravel())),
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)])),
            }
        )
    )


def export(clouds, labels):
    os.makedirs(OUT_DIR, exist_ok=True)
    options = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=6)
    for shard in range(SHARDS):
        name = os.path.join(OUT_DIR, f"clouds-{shard:02d}.tfrecord")
        with tf.io.TFRecordWriter(name, options=options) as writer:
            for index in range(shard, len(clouds), SHARDS):
                writer.write(make_example(clouds[index], labels[index]).SerializeToString())


SPEC = {
    "points": tf.io.FixedLenFeature([POINTS, 3], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(batch):
    example = tf.io.parse_example(batch, SPEC)
    points = example["points"]
    points -= tf.reduce_mean(points, axis=1, keepdims=True)
    return points, example["label"]


def load(batch_size):
    files = tf.data.Dataset.list_files(os.path.join(OUT_DIR, "clouds-*.tfrecord"), shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=SHARDS, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(4096).batch(batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def pointnet(classes):
    inputs = tf.keras.Input([POINTS, 3])
    x = tf.keras.layers.Conv1D(64, 1, activation="relu")(inputs)
    x = tf.keras.layers.Conv1D(256, 1, activation="relu")(x)
    x = tf.keras.layers.GlobalMaxPooling1D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes)(x))


def main():
    archive = np.load("modelnet10.npz")
    export(archive["clouds"].astype(np.float32), archive["labels"])
    model = pointnet(10)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(load(32), epochs=50)


if __name__ == "__main__":
    main()
