import functools
import glob
import os

import numpy as np
import tensorflow as tf

POINTS = 2048


def in_graph(*dtypes, shapes):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            outs = tf.py_function(fn, args, dtypes)
            for o, s in zip(outs, shapes):
                o.set_shape(s)
            return tuple(outs)
        return wrapper
    return deco


@in_graph(tf.float32, tf.int64, shapes=[(POINTS, 3), ()])
def cloud(path, label):
    pts = np.loadtxt(path.numpy().decode(), delimiter=",", dtype=np.float32)[:, :3]
    pick = np.random.choice(len(pts), POINTS, replace=len(pts) < POINTS)
    pts = pts[pick]
    pts -= pts.mean(0)
    return pts / np.abs(pts).max(), label


def listing(root):
    classes = sorted(os.listdir(root))
    items = [(f, i) for i, c in enumerate(classes) for f in glob.glob(os.path.join(root, c, "*.txt"))]
    paths, labels = zip(*items)
    return list(paths), np.array(labels, np.int64), classes


def pointnet(n):
    inp = tf.keras.Input((POINTS, 3))
    h = inp
    for width in (64, 128, 512):
        h = tf.keras.layers.Conv1D(width, 1, activation="relu")(h)
        h = tf.keras.layers.BatchNormalization()(h)
    h = tf.keras.layers.GlobalMaxPool1D()(h)
    h = tf.keras.layers.Dense(256, "relu")(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(n)(h))


if __name__ == "__main__":
    paths, labels, classes = listing("/data/modelnet40_normal/train")
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths)).map(cloud, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(32, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    net = pointnet(len(classes))
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    net.fit(ds, epochs=50)
