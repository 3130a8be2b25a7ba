import contextlib
import time

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


@contextlib.contextmanager
def measured(name, logdir=None):
    if logdir:
        tf.profiler.experimental.start(logdir)
    begin = time.perf_counter()
    try:
        yield
    finally:
        print(f"{name}: {time.perf_counter() - begin:.2f} s")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [299, 299]) / 127.5 - 1.0


def photos(folder, batch_size):
    ds = Dataset.list_files(f"{folder}/*.jpg", shuffle=False)
    ds = ds.map(load, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def embed(model, dataset, batches=None):
    forward = tf.function(lambda x: model(x, training=False))
    if batches:
        dataset = dataset.take(batches)
    return tf.concat([forward(images) for images in dataset], axis=0)


def main():
    model = tf.keras.applications.InceptionV3(include_top=False, pooling="avg")
    ds = photos("/data/photos", 64)
    with measured("warm-up"):
        embed(model, ds, batches=4)
    with measured("profiled", logdir="/logs/embed"):
        embed(model, ds, batches=8)
    with measured("all"):
        vectors = embed(model, ds)
    tf.io.write_file("/data/vectors.bin", tf.io.serialize_tensor(vectors))


if __name__ == "__main__":
    main()
