import numpy as np
import tensorflow as tf

SPEC = {"features": tf.io.FixedLenFeature([512], tf.float32), "id": tf.io.FixedLenFeature([], tf.string)}


class Embedder:
    def __init__(self, path):
        self.network = tf.keras.models.load_model(path)

    def embed(self, dataset):
        return [self.network(e["features"][tf.newaxis], training=False)[0] for e in dataset]


def records(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=False)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda r: tf.io.parse_single_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


embedder = Embedder("/models/encoder.keras")
vectors = embedder.embed(records("/data/catalog/*.tfrecord"))
np.save("vectors.npy", np.stack(vectors))
