import tensorflow as tf

STEPS = 24


def parse(line):
    values = tf.strings.to_number(tf.strings.split(line, ","))
    return tf.ensure_shape(values[:6], [6]), values[6]


def normalize(features, targets):
    mean = tf.reduce_mean(features, axis=0)
    deviation = tf.math.reduce_std(features, axis=0)
    return (features - mean) / (deviation + 1e-6), targets


def windows(path):
    ds = tf.data.TextLineDataset(path).skip(1)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.window(STEPS, shift=STEPS // 2, drop_remainder=True)
    ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(2000).batch(32).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.GRU(64, return_sequences=True),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(windows("/data/plant.csv"), epochs=15)
