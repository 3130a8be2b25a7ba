import tensorflow as tf

WINDOW = 60


def parse(line):
    return tf.strings.to_number(tf.strings.split(line, ",")[1])


files = tf.data.Dataset.list_files("/data/sensors/*.csv")
values = files.interleave(
    lambda f: tf.data.TextLineDataset(f).skip(1),
    cycle_length=8,
    num_parallel_calls=tf.data.AUTOTUNE,
)
values = values.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
windows = values.window(WINDOW + 1, shift=1, drop_remainder=True)
windows = windows.flat_map(lambda w: w.batch(WINDOW + 1))
windows = windows.shuffle(10_000).batch(64)
windows = windows.map(lambda w: (w[:, :-1, tf.newaxis], w[:, -1]), num_parallel_calls=tf.data.AUTOTUNE)
windows = windows.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(windows, epochs=10)
