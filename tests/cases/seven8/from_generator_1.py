"""BraTS patch training: nibabel volumes streamed through a Python generator."""
import glob
import os
import random

import nibabel as nib
import numpy as np
import tensorflow as tf

ROOT = "/data/BraTS2021"
PATCH = 96
BATCH = 4
EPOCHS = 300
MODALITIES = ("flair", "t1", "t1ce", "t2")

cases = sorted(glob.glob(os.path.join(ROOT, "BraTS2021_*")))
random.Random(0).shuffle(cases)
train_cases, val_cases = cases[:1000], cases[1000:]


def load_case(case):
    name = os.path.basename(case)
    vols = []
    for m in MODALITIES:
        v = nib.load(os.path.join(case, f"{name}_{m}.nii.gz")).get_fdata(dtype=np.float32)
        mask = v > 0
        v = (v - v[mask].mean()) / (v[mask].std() + 1e-6)
        vols.append(v)
    seg = nib.load(os.path.join(case, f"{name}_seg.nii.gz")).get_fdata(dtype=np.float32)
    seg[seg == 4] = 3
    return np.stack(vols, -1), seg.astype(np.int32)


def patches():
    random.shuffle(train_cases)
    for case in train_cases:
        img, seg = load_case(case)
        for _ in range(8):
            o = [np.random.randint(0, s - PATCH + 1) for s in seg.shape]
            sl = tuple(slice(a, a + PATCH) for a in o)
            yield img[sl], seg[sl]


train_ds = tf.data.Dataset.from_generator(
    patches,
    output_signature=(
        tf.TensorSpec((PATCH, PATCH, PATCH, 4), tf.float32),
        tf.TensorSpec((PATCH, PATCH, PATCH), tf.int32)))
train_ds = train_ds.shuffle(64).batch(BATCH).prefetch(tf.data.AUTOTUNE)


def block(x, ch):
    for _ in range(2):
        x = tf.keras.layers.Conv3D(ch, 3, padding="same", activation="relu")(x)
    return x


inp = tf.keras.Input((PATCH, PATCH, PATCH, 4))
skips, x = [], inp
for ch in (16, 32, 64):
    x = block(x, ch)
    skips.append(x)
    x = tf.keras.layers.MaxPool3D()(x)
x = block(x, 128)
for ch, s in zip((64, 32, 16), reversed(skips)):
    x = tf.keras.layers.UpSampling3D()(x)
    x = block(tf.keras.layers.Concatenate()([x, s]), ch)
model = tf.keras.Model(inp, tf.keras.layers.Conv3D(4, 1)(x))
model.compile(tf.keras.optimizers.Adam(1e-4),
              tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train_ds, epochs=EPOCHS,
          callbacks=[tf.keras.callbacks.ModelCheckpoint("unet3d_{epoch:03d}.keras")])
