"""Scene classifier on records that were made for segmentation."""
import argparse

import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/mask": tf.io.FixedLenFeature([], tf.string),
    "image/thumbnail": tf.io.FixedLenFeature([], tf.string),
    "scene/id": tf.io.FixedLenFeature([], tf.int64),
}


def to_sample(serialized):
    parsed = tf.io.parse_single_example(serialized, FEATURES)
    image = tf.image.resize(tf.io.decode_jpeg(parsed["image/encoded"], channels=3), [299, 299])
    mask = tf.image.resize(tf.io.decode_png(parsed["image/mask"], channels=1), [299, 299], method="nearest")
    mask = tf.ensure_shape(mask, [299, 299, 1])
    return tf.keras.applications.inception_v3.preprocess_input(image), parsed["scene/id"]


def reader(pattern, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=not training)
    if training:
        ds = ds.shuffle(5000)
    ds = ds.map(to_sample, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--train", default="/data/ade/train-*.tfrecord")
    cli.add_argument("--valid", default="/data/ade/valid-*.tfrecord")
    cli.add_argument("--batch", type=int, default=64)
    args = cli.parse_args()
    trunk = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
    model = tf.keras.Sequential([trunk, tf.keras.layers.Dense(365, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(reader(args.train, args.batch, True), validation_data=reader(args.valid, args.batch, False), epochs=20)


if __name__ == "__main__":
    main()
