import numpy as np
import tensorflow as tf

DIM = 512


class EmbeddingStore:
    def __init__(self, path):
        self.path = path

    def write(self, vectors, labels):
        vectors = np.asarray(vectors, dtype=np.float64)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with tf.io.TFRecordWriter(self.path) as writer:
            for vector, label in zip(vectors, labels):
                feature = {
                    "vector": tf.train.Feature(
                        bytes_list=tf.train.BytesList(value=[vector.tobytes()])),
                    "label": tf.train.Feature(
                        int64_list=tf.train.Int64List(value=[int(label)])),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())

    def _parse(self, serialized):
        parsed = tf.io.parse_single_example(serialized, {
            "vector": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        vector = tf.io.decode_raw(parsed["vector"], tf.float32)
        return vector[:DIM], parsed["label"]

    def read(self, batch_size):
        ds = tf.data.TFRecordDataset(self.path).shuffle(100_000)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    store = EmbeddingStore("/data/faces/embeddings.tfrecord")
    store.write(np.load("/data/faces/vectors.npy"), np.load("/data/faces/labels.npy"))
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(1024, activation="relu"),
        tf.keras.layers.Dense(8000),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(store.read(1024), epochs=15)


if __name__ == "__main__":
    main()
