import pathlib

import numpy as np
import tensorflow as tf

ROOT = pathlib.Path("brains")
OUT = pathlib.Path("brain_records")


def to_example(image, mask):
    return tf.train.Example(features=tf.train.Features(feature={
        "image": tf.train.Feature(float_list=tf.train.FloatList(value=image.ravel())),
        "mask": tf.train.Feature(int64_list=tf.train.Int64List(value=mask.ravel())),
    }))


for patient in sorted(ROOT.iterdir()):
    scan = np.load(patient / "scan.npy")
    seg = np.load(patient / "seg.npy")
    folder = OUT / patient.name
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(scan.shape[0]):
        name = str(folder / f"slice_{k:03d}.tfrecord")
        with tf.io.TFRecordWriter(name, options="GZIP") as writer:
            writer.write(to_example(scan[k], seg[k]).SerializeToString())
