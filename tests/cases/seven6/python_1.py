import argparse
import random

import h5py
import tensorflow as tf


class SliceReader:
    """Yields (slice, mask) pairs of the BraTS volumes."""

    def __init__(self, filename, split):
        self.filename = filename
        self.split = split

    def __iter__(self):
        with h5py.File(self.filename, "r") as h5:
            group = h5[self.split]
            patients = list(group.keys())
            random.shuffle(patients)
            for p in patients:
                volume, seg = group[p]["flair"], group[p]["seg"]
                for z in range(volume.shape[0]):
                    img = volume[z].astype("float32")
                    img = (img - img.mean()) / (img.std() + 1e-6)
                    yield img[..., None], (seg[z] > 0).astype("float32")[..., None]


def make_dataset(filename, split, batch_size):
    reader = SliceReader(filename, split)
    spec = tf.TensorSpec((240, 240, 1), tf.float32)
    ds = tf.data.Dataset.from_generator(reader.__iter__, output_signature=(spec, spec))
    ds = ds.shuffle(500).batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def conv(x, filters):
    for _ in range(2):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return x


def unet():
    inputs = x = tf.keras.Input((240, 240, 1))
    skips = []
    for f in (32, 64, 128):
        x = conv(x, f)
        skips.append(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = conv(x, 256)
    for f, s in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.UpSampling2D()(x)
        x = conv(tf.keras.layers.Concatenate()([x, s]), f)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--h5", default="/scratch/brats2021.h5")
    ap.add_argument("--batch", type=int, default=32)
    opt = ap.parse_args()
    model = unet()
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.BinaryIoU()])
    model.fit(make_dataset(opt.h5, "train", opt.batch),
              validation_data=make_dataset(opt.h5, "val", opt.batch), epochs=80)
    model.save("unet.keras")
