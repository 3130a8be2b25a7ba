import argparse
import os

import numpy as np
import tensorflow as tf


def load(path):
    blob = np.load(path)
    return blob["x"].astype("float32"), blob["y"].astype("float32")


def input_fn(path, batch_size, training):
    x, y = load(path)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(len(x))
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE), x.shape[1]


def deep_and_wide(width):
    inputs = tf.keras.Input((width,))
    deep = inputs
    for units in (512, 256, 128):
        deep = tf.keras.layers.Dense(units, activation="relu")(deep)
        deep = tf.keras.layers.Dropout(0.2)(deep)
    both = tf.keras.layers.Concatenate()([inputs, deep])
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(both))


def make_callbacks(args):
    saving = {
        "filepath": os.path.join(args.model_dir, "weights-{epoch:03d}.weights.h5"),
        "save_weights_only": True,
        "save_freq": 1,
    }
    return [
        tf.keras.callbacks.ModelCheckpoint(**saving),
        tf.keras.callbacks.TensorBoard(args.model_dir, update_freq="epoch"),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="/data/churn/train.npz")
    parser.add_argument("--valid", default="/data/churn/valid.npz")
    parser.add_argument("--model-dir", default="/models/churn")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    train, width = input_fn(args.train, args.batch, True)
    valid, _ = input_fn(args.valid, args.batch, False)
    model = deep_and_wide(width)
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(name="auc")])
    model.fit(train, validation_data=valid, epochs=args.epochs, callbacks=make_callbacks(args))


if __name__ == "__main__":
    main()
