"""Speech emotion classifier with a selectable layout."""
import argparse

import numpy as np
import tensorflow as tf


def convnet(n_classes, data_format):
    axis = {"channels_first": 1, "channels_last": -1}[data_format]
    inp = x = tf.keras.Input((300, 64, 1))
    if data_format == "channels_first":
        x = tf.keras.layers.Permute((3, 1, 2))(x)
    for f in (32, 64, 128):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", data_format=data_format)(x)
        x = tf.keras.layers.BatchNormalization(axis=axis)(x)
        x = tf.keras.layers.ReLU()(x)
        x = tf.keras.layers.MaxPooling2D(data_format=data_format)(x)
    x = tf.keras.layers.GlobalAveragePooling2D(data_format=data_format)(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(n_classes)(x))


def features(path, batch, training):
    z = np.load(path)

    def to_frames(mel, label):
        return tf.transpose(mel, [0, 2, 1])[..., tf.newaxis], label

    ds = tf.data.Dataset.from_tensor_slices((z["mel"], z["label"]))
    if training:
        ds = ds.shuffle(len(z["label"]))
    ds = ds.batch(batch, drop_remainder=training)
    return ds.map(to_frames, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="/data/emotion")
    ap.add_argument("--batch", type=int, default=128)
    args = ap.parse_args()
    model = convnet(8, data_format="channels_last")
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(
        features(f"{args.root}/train.npz", args.batch, True),
        validation_data=features(f"{args.root}/valid.npz", args.batch, False),
        epochs=60,
    )


if __name__ == "__main__":
    main()
