import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from sklearn.linear_model import SGDClassifier


def numpy_batches(split, batch_size, buffer):
    ds = tfds.load("mnist", split=split, as_supervised=True, shuffle_files=True)
    ds = ds.map(lambda x, y: (tf.reshape(tf.cast(x, tf.float32) / 255.0, [-1]), y),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(buffer).batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return tfds.as_numpy(ds)


def one_epoch(clf, batches, classes):
    seen = 0
    for x, y in batches:
        clf.partial_fit(x, y, classes=classes)
        seen += len(y)
    return seen


def main(epochs=5):
    clf = SGDClassifier(loss="log_loss")
    batches = numpy_batches("train", 2048, 60_000)
    for epoch in range(epochs):
        print(epoch, one_epoch(clf, batches, np.arange(10)))


if __name__ == "__main__":
    main()
