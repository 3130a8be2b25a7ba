import tensorflow as tf

WINDOW = 32


def parse(line):
    return tf.strings.to_number(tf.strings.split(line, ",")[1])


ds = tf.data.TextLineDataset("/data/load.csv").skip(1)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.window(WINDOW + 1, shift=4, drop_remainder=True)
ds = ds.flat_map(lambda w: w.batch(WINDOW + 1))
ds = ds.shuffle(10_000).batch(64)
ds = ds.map(lambda w: (w[:, :-1, tf.newaxis], w[:, -1]), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=10)
