"""Fine-tune on arrays exported from torchvision (N, C, H, W)."""
import argparse

import numpy as np
import tensorflow as tf

LAYOUTS = ("channels_first", "channels_last")


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--npz", default="/data/export/eurosat_train.npz")
    p.add_argument("--source_layout", choices=LAYOUTS, default="channels_first",
                   help="axis order of the arrays in the file")
    p.add_argument("--export_nchw", action="store_true",
                   help="feature maps go to the torch decoder as NCHW")
    p.add_argument("--epochs", type=int, default=20)
    return p.parse_args()


def load(args):
    z = np.load(args.npz)
    x, y = z["x"], z["y"].astype("int64")
    data_format = args.source_layout
    if data_format == "channels_first":
        x = np.ascontiguousarray(x.transpose(0, 2, 3, 1))
    return x, y


def conv(ch, **kw):
    kw.setdefault("data_format", LAYOUTS[1])
    return tf.keras.layers.Conv2D(ch, 3, padding="same", activation="relu", **kw)


def build(shape, classes, export_nchw):
    inp = tf.keras.Input(shape)
    x = tf.keras.layers.Rescaling(1 / 255.0)(inp)
    for ch in (32, 64, 128):
        x = conv(ch)(x)
        x = tf.keras.layers.BatchNormalization()(x)
        x = tf.keras.layers.MaxPool2D()(x)
    logits = tf.keras.layers.Dense(classes)(tf.keras.layers.GlobalAveragePooling2D()(x))
    model = tf.keras.Model(inp, logits)
    feats = tf.keras.layers.Permute((3, 1, 2))(x) if export_nchw else x
    return model, tf.keras.Model(inp, feats)


def main():
    args = parse_args()
    x, y = load(args)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    ds = ds.batch(128).prefetch(tf.data.AUTOTUNE)
    model, features = build(x.shape[1:], int(y.max()) + 1, args.export_nchw)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(ds, epochs=args.epochs)
    features.export("features")


if __name__ == "__main__":
    main()
