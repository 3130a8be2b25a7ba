import tensorflow as tf
import tensorflow_datasets as tfds

SPLITS = ["train", "test"]


def unit(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def read(split):
    training = split == "train"
    ds = tfds.load("stl10", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(5000)
    return ds.map(unit, num_parallel_calls=tf.data.AUTOTUNE)
