import tempfile

import numpy as np
import tensorflow as tf

COMPRESSION = "GZIP"
DIM = 512


class EmbeddingStore:
    def __init__(self, path):
        self.path = path

    def write(self, vectors):
        options = tf.io.TFRecordOptions(compression_type=COMPRESSION)
        with tf.io.TFRecordWriter(self.path, options) as writer:
            for vector in np.asarray(vectors, dtype=np.float32):
                value = tf.train.BytesList(value=[vector.tobytes()])
                features = tf.train.Features(feature={"vector": tf.train.Feature(bytes_list=value)})
                writer.write(tf.train.Example(features=features).SerializeToString())

    def _parse(self, serialized):
        parsed = tf.io.parse_example(serialized, {"vector": tf.io.FixedLenFeature([], tf.string)})
        vectors = tf.io.decode_raw(parsed["vector"], tf.float32)
        return vectors, vectors

    def read(self, batch_size):
        ds = tf.data.TFRecordDataset(self.path, COMPRESSION).shuffle(100_000)
        ds = ds.batch(batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((DIM,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(DIM),
    ])
    model.compile("adam", "mse")
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddingStore(f"{folder}/embeddings.tfrecord.gz")
        store.write(np.load("/data/faces/vectors.npy"))
        model.fit(store.read(1024), epochs=15)
    model.save("autoencoder.keras")


if __name__ == "__main__":
    main()
