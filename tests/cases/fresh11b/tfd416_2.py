import argparse

import numpy as np
import tensorflow as tf
from sklearn.linear_model import SGDClassifier

SPEC = {"x": tf.io.FixedLenFeature([300], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def numpy_batches(pattern, batch_size, buffer):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(buffer).batch(batch_size)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def one_epoch(clf, batches, classes):
    seen = 0
    for batch in batches:
        clf.partial_fit(batch["x"], batch["y"], classes=classes)
        seen += len(batch["y"])
    return seen


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/data/emb/train-*")
    p.add_argument("--epochs", type=int, default=5)
    args = p.parse_args()
    clf = SGDClassifier(loss="log_loss")
    batches = numpy_batches(args.pattern, 2048, 100_000)
    classes = np.arange(20)
    for epoch in range(args.epochs):
        print(epoch, one_epoch(clf, batches, classes))


if __name__ == "__main__":
    main()
