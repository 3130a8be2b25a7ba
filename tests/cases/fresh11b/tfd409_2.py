from functools import partial

import numpy as np
import tensorflow as tf

COLUMNS = 30


def read(path, batch_size, shuffle_buffer=None):
    def parse(line):
        fields = tf.io.decode_csv(line, [[0.0]] * (COLUMNS + 1))
        return tf.stack(fields[:-1]), fields[-1]

    ds = tf.data.TextLineDataset(path).skip(1).map(parse, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if shuffle_buffer:
        ds = ds.shuffle(shuffle_buffer)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


reader = partial(read, batch_size=256, shuffle_buffer=50_000)


def residuals(model, ds):
    predicted = model.predict(ds).squeeze()
    targets = []
    for _, y in ds:
        targets.append(y.numpy())
    return np.concatenate(targets) - predicted


def main():
    train, test = reader("/data/house/train.csv"), reader("/data/house/test.csv")
    model = tf.keras.Sequential([tf.keras.Input((COLUMNS,)), tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mae")
    model.fit(train, epochs=20)
    err = residuals(model, test)
    print("median abs error", np.median(np.abs(err)))


if __name__ == "__main__":
    main()
