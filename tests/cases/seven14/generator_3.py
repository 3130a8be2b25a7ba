"""Electric load forecasting over 8 years of minute readings."""
import numpy as np
import pandas as pd
import tensorflow as tf

Dataset = tf.data.Dataset


class WindowIterator:
    def __init__(self, values, past, future, stride=1):
        self.values, self.past, self.future, self.stride = values, past, future, stride

    def __iter__(self):
        starts = np.arange(0, len(self.values) - self.past - self.future, self.stride)
        np.random.shuffle(starts)
        for s in starts:
            mid = s + self.past
            yield self.values[s:mid], self.values[mid:mid + self.future, 0]


class DatasetFactory:
    def __init__(self, batch_size):
        self.batch_size = batch_size
        self._makers = {"windows": self._windows}

    def create(self, kind, **kw):
        return self._makers[kind](**kw).batch(self.batch_size, drop_remainder=True) \
            .prefetch(tf.data.AUTOTUNE)

    def _windows(self, values, past, future):
        width = values.shape[1]
        it = WindowIterator(values, past, future)
        return Dataset.from_generator(
            lambda: iter(it),
            output_signature=(tf.TensorSpec((past, width), tf.float32),
                              tf.TensorSpec((future,), tf.float32)))


def load():
    df = pd.read_parquet("/data/load/minutes.parquet")
    v = df[["load", "temp", "wind", "hour_sin", "hour_cos"]].to_numpy(np.float32)
    v = (v - v.mean(0)) / v.std(0)
    cut = int(len(v) * 0.9)
    return v[:cut], v[cut:]


def main():
    train_v, test_v = load()
    factory = DatasetFactory(512)
    train = factory.create("windows", values=train_v, past=720, future=60)
    test = factory.create("windows", values=test_v, past=720, future=60)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 12, strides=6, activation="relu"),
        tf.keras.layers.LSTM(128),
        tf.keras.layers.Dense(60)])
    model.compile("adam", "mse")
    model.fit(train, validation_data=test, epochs=10)


if __name__ == "__main__":
    main()
