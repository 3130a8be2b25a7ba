"""BraTS 2021 tumour segmentation with a residual 3D U-Net."""
import argparse
import json
import pathlib
import random

import nibabel as nib
import numpy as np
import tensorflow as tf

MODALITIES = ("flair", "t1", "t1ce", "t2")


class CaseStream:
    """Callable that walks over all cases and yields random 128^3 patches."""

    def __init__(self, root, cases, patch=128, per_case=4):
        self.root, self.cases = pathlib.Path(root), list(cases)
        self.patch, self.per_case = patch, per_case

    def __len__(self):
        return len(self.cases) * self.per_case

    def _load(self, case):
        vols = []
        for m in MODALITIES:
            v = nib.load(self.root / case / f"{case}_{m}.nii.gz").get_fdata(dtype=np.float32)
            fg = v[v > 0]
            vols.append((v - fg.mean()) / (fg.std() + 1e-6))
        seg = np.asarray(nib.load(self.root / case / f"{case}_seg.nii.gz").dataobj, np.uint8)
        seg[seg == 4] = 3
        return np.stack(vols, -1), seg

    def __call__(self):
        order = self.cases[:]
        random.shuffle(order)
        p = self.patch
        for case in order:
            x, y = self._load(case)
            for _ in range(self.per_case):
                i, j, k = (random.randint(0, s - p) for s in y.shape)
                yield x[i:i + p, j:j + p, k:k + p], y[i:i + p, j:j + p, k:k + p]

    @property
    def signature(self):
        p = self.patch
        return (tf.TensorSpec([p, p, p, 4], tf.float32), tf.TensorSpec([p, p, p], tf.uint8))


def as_dataset(stream, batch):
    return (tf.data.Dataset
            .from_generator(stream, output_signature=stream.signature)
            .shuffle(32)
            .batch(batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE))


def block(x, f):
    s = tf.keras.layers.Conv3D(f, 1)(x)
    for _ in range(2):
        x = tf.keras.layers.Conv3D(f, 3, padding="same", activation="relu")(x)
    return x + s


def model(patch):
    inp = x = tf.keras.Input([patch, patch, patch, 4])
    skips = []
    for f in (16, 32, 64, 128):
        x = block(x, f)
        skips.append(x)
        x = tf.keras.layers.MaxPool3D()(x)
    for f, s in zip((128, 64, 32, 16), skips[::-1]):
        x = tf.keras.layers.UpSampling3D()(x)
        x = block(tf.keras.layers.Concatenate()([x, s]), f)
    return tf.keras.Model(inp, tf.keras.layers.Conv3D(4, 1)(x))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="/data/BraTS2021")
    ap.add_argument("--split", default="splits/fold0.json")
    ap.add_argument("--batch", type=int, default=2)
    args = ap.parse_args()
    split = json.loads(pathlib.Path(args.split).read_text())
    train = CaseStream(args.root, split["train"])
    net = model(train.patch)
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(as_dataset(train, args.batch), epochs=300)


if __name__ == "__main__":
    main()
