import tensorflow as tf


def parse(line):
    cols = tf.io.decode_csv(line, [[0.0]] * 10)
    return tf.stack(cols[:-1]), cols[-1]


rows = tf.data.TextLineDataset("train.csv").skip(1)
rows = rows.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
rows = rows.cache("/tmp/train_rows")

norm = tf.keras.layers.Normalization()
norm.adapt(rows.batch(1024).map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE))
train = rows.shuffle(10000).batch(64).prefetch(tf.data.AUTOTUNE)
check = rows.batch(1024).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([norm, tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
model.fit(train, epochs=15)
print("fit of the training data", model.evaluate(check, return_dict=True))
