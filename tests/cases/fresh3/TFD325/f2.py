import numpy as np
import tensorflow as tf


class Bags:
    words = 100_000

    def __init__(self, path):
        with np.load(path) as arrays:
            self.ids, self.topic = arrays["ids"].astype("int64"), arrays["topic"]

    def dense(self, ids, topic):
        rows = tf.repeat(tf.range(tf.shape(ids)[0], dtype=tf.int64), tf.shape(ids)[1])
        where = tf.stack([rows, tf.reshape(ids, [-1])], axis=1)
        ones = tf.ones([tf.shape(where)[0]])
        return tf.scatter_nd(where, ones, (tf.shape(ids, out_type=tf.int64)[0], self.words)), topic

    def batches(self, size):
        ds = tf.data.Dataset.from_tensor_slices((self.ids, self.topic))
        return ds.batch(size).map(self.dense, num_parallel_calls=tf.data.AUTOTUNE)


class StoredBags(Bags):
    def batches(self, size):
        return super().batches(size).cache("/scratch/bags").prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((Bags.words,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(20, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(StoredBags("news.npz").batches(128), epochs=10)
