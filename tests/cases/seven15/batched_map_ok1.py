import numpy as np
import tensorflow as tf


class CellCounts:
    def __init__(self, path, batch=512):
        z = np.load(path)
        self.counts = z["counts"].astype(np.float32)
        self.types = z["types"].astype(np.int64)
        self.batch = batch

    @staticmethod
    def normalise(counts, kind):
        total = tf.reduce_sum(counts, axis=-1, keepdims=True)
        return tf.math.log1p(counts / (total + 1.0) * 1e4), kind

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.counts, self.types))
        ds = ds.shuffle(len(self.types), seed=3).batch(self.batch)
        ds = ds.map(self.normalise, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    cells = CellCounts("pbmc.npz")
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(256, "relu"),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(int(cells.types.max()) + 1),
    ])
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    net.fit(cells.dataset(), epochs=25)


if __name__ == "__main__":
    main()
