import pathlib

import tensorflow as tf


def _read(path, label):
    data = tf.io.read_file(path)
    image = tf.io.decode_jpeg(data, channels=3)
    image = tf.image.resize(image, (299, 299))
    return tf.keras.applications.inception_v3.preprocess_input(image), label


def decoded(root):
    paths = sorted(str(p) for p in pathlib.Path(root).rglob("*.jpg"))
    labels = [int(p.endswith("_m.jpg")) for p in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    return ds.map(_read, num_parallel_calls=tf.data.AUTOTUNE), len(paths)
