import numpy as np
import pandas as pd
import tensorflow as tf

TARGET = "default"


class CreditTable:
    def __init__(self, path):
        frame = pd.read_parquet(path)
        self.labels = frame.pop(TARGET).to_numpy(np.float32)
        self.values = frame.to_numpy(np.float32)
        self.mean = self.values.mean(axis=0)
        self.std = self.values.std(axis=0) + 1e-6

    def __len__(self):
        return len(self.labels)

    def standardise(self, row, label):
        return (row - self.mean) / self.std, label

    def batches(self, size, seed):
        ds = tf.data.Dataset.from_tensor_slices((self.values, self.labels))
        ds = ds.shuffle(len(self), seed=seed)
        ds = ds.map(self.standardise, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(size)
        return ds.prefetch(tf.data.AUTOTUNE)


def classifier(width):
    return tf.keras.Sequential([
        tf.keras.Input((width,)),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])


def main():
    table = CreditTable("credit/train.parquet")
    net = classifier(table.values.shape[1])
    net.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(name="auc")])
    net.fit(table.batches(1024, seed=9), epochs=40)
    net.save("credit.keras")


if __name__ == "__main__":
    main()
