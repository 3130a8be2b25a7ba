import json
import os

import tensorflow as tf

CONFIG = {
    "data": {"pattern": "gs://retina-bucket/tfrecords/train-*.tfrec", "buffer_size": 2048},
    "train": {"batch_size": 64, "epochs": 20, "lr": 3e-4},
    "image_size": [512, 512],
}


def read_config(path):
    config = dict(CONFIG)
    if path and os.path.exists(path):
        with open(path) as f:
            config["train"].update(json.load(f))
    return config


def decode(serialized):
    features = tf.io.parse_single_example(serialized, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "target": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(features["image"], channels=3)
    image = tf.image.resize(image, CONFIG["image_size"])
    return tf.image.random_flip_left_right(image) / 255.0, features["target"]


def get_training_dataset(config):
    data = config["data"]
    buffer_size = data["buffer_size"]
    files = tf.data.Dataset.list_files(data["pattern"], shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(buffer_size).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(config["train"]["batch_size"], drop_remainder=True)
    ds = ds.prefetch(buffer_size)
    return ds


def main():
    config = read_config("train.json")
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        base = tf.keras.applications.EfficientNetB3(
            include_top=False, pooling="avg", input_shape=[*config["image_size"], 3])
        model = tf.keras.Sequential([base, tf.keras.layers.Dense(5)])
        model.compile(
            optimizer=tf.keras.optimizers.Adam(config["train"]["lr"]),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(get_training_dataset(config), epochs=config["train"]["epochs"])


if __name__ == "__main__":
    main()
