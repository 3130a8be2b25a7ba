"""Brain tumour grading from two MR sequences (two-input 3D network)."""
import random
from pathlib import Path

import nibabel as nib
import numpy as np
import tensorflow as tf

from_python = tf.data.Dataset.from_generator
VOLUME = (96, 96, 96, 1)


class StudySequence:
    """Yields ((t1, flair), grade); shuffles studies at each pass."""

    def __init__(self, root, grades, training=True):
        self.studies = [p for p in Path(root).iterdir() if p.name in grades]
        self.grades = grades
        self.training = training

    @staticmethod
    def _volume(path, offset):
        data = nib.load(path).get_fdata(dtype=np.float32)
        x, y, z = offset
        cube = data[x:x + 96, y:y + 96, z:z + 96]
        return ((cube - cube.mean()) / (cube.std() + 1e-6))[..., None]

    def iterate(self):
        order = list(self.studies)
        if self.training:
            random.shuffle(order)
        for study in order:
            offset = np.random.randint(0, 48, 3) if self.training else (24, 24, 24)
            t1 = self._volume(study / "t1.nii.gz", offset)
            flair = self._volume(study / "flair.nii.gz", offset)
            yield {"t1": t1, "flair": flair}, self.grades[study.name]


def pair_of_datasets(train_seq, val_seq, batch):
    sig = ({k: tf.TensorSpec(VOLUME, tf.float32) for k in ("t1", "flair")}, tf.TensorSpec([], tf.int32))
    train, val = (
        from_python(s.iterate, output_signature=sig).batch(batch).prefetch(2)
        for s in (train_seq, val_seq)
    )
    return train, val


def tower(name):
    inp = tf.keras.Input(VOLUME, name=name)
    x = inp
    for f in (16, 32, 64):
        x = tf.keras.layers.Conv3D(f, 3, strides=2, activation="relu")(x)
    return inp, tf.keras.layers.GlobalAveragePooling3D()(x)


def train_model(root, grades, val_root, val_grades):
    ins, outs = zip(*(tower(n) for n in ("t1", "flair")))
    head = tf.keras.layers.Dense(4, activation="softmax")(tf.keras.layers.Concatenate()(list(outs)))
    model = tf.keras.Model({i.name: i for i in ins}, head)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    train, val = pair_of_datasets(
        StudySequence(root, grades), StudySequence(val_root, val_grades, False), 4)
    model.fit(train, validation_data=val, epochs=150)
    return model
