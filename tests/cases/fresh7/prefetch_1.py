import json
import os

import tensorflow as tf

DEFAULTS = {
    "records": "data/plankton/*.tfrecord",
    "batch_size": 64,
    "epochs": 15,
    "steps": 400,
    "side": 64,
}


class Plankton:
    features = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "kind": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, cfg):
        self.cfg = cfg

    def decode(self, serialized):
        row = tf.io.parse_single_example(serialized, self.features)
        image = tf.io.decode_png(row["image"], channels=1)
        image.set_shape((self.cfg["side"], self.cfg["side"], 1))
        return tf.image.random_flip_left_right(image), row["kind"]

    def train_data(self):
        shards = tf.io.gfile.glob(self.cfg["records"])
        return (
            tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
            .shuffle(5000)
            .repeat()
            .map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.cfg["batch_size"])
        )


def main():
    cfg = dict(DEFAULTS)
    if os.path.exists("plankton.json"):
        with open("plankton.json") as f:
            cfg.update(json.load(f))
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0, input_shape=(cfg["side"], cfg["side"], 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(38, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(Plankton(cfg).train_data(), epochs=cfg["epochs"], steps_per_epoch=cfg["steps"])


if __name__ == "__main__":
    main()
