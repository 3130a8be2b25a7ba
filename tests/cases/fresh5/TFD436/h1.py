import tensorflow as tf

WINDOW = 60


def parse(line):
    return tf.strings.to_number(tf.strings.split(line, ",")[1])


def windows_of(path):
    values = tf.data.TextLineDataset(path).skip(1).map(parse)
    windows = values.window(WINDOW + 1, shift=1, drop_remainder=True)
    return windows.flat_map(lambda w: w.batch(WINDOW + 1))


files = tf.data.Dataset.list_files("/data/sensors/*.csv")
ds = files.interleave(windows_of, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(64)
ds = ds.map(lambda w: (w[:, :-1, tf.newaxis], w[:, -1]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
