import tensorflow as tf

HISTORY = 48


def parse(line):
    return tf.strings.to_number(tf.strings.split(line, ",")[1])


def file_windows(path):
    readings = tf.data.TextLineDataset(path).skip(1).map(parse)
    windows = readings.window(HISTORY + 1, shift=1, drop_remainder=True)
    return windows.flat_map(lambda w: w.batch(HISTORY + 1, drop_remainder=True))


files = tf.data.Dataset.list_files("meters/*.csv")
windows = files.interleave(file_windows, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
train = windows.map(lambda w: (w[:-1], w[-1]), num_parallel_calls=tf.data.AUTOTUNE)
train = train.shuffle(10_000).batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((HISTORY,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(train, epochs=5)
