import tensorflow as tf


def columns(features, label):
    return tf.stack(list(features.values()), axis=-1), label


csv = tf.data.experimental.make_csv_dataset(
    "abalone_*.csv", batch_size=1000, label_name="rings", num_epochs=1,
    column_defaults=[tf.float32] * 8, shuffle=False)
csv = csv.map(columns, num_parallel_calls=tf.data.AUTOTUNE)
rows = csv.unbatch()
rows = rows.shuffle(20000, seed=5)
train = rows.batch(32)
train = train.prefetch(tf.data.AUTOTUNE)

norm = tf.keras.layers.Normalization()
norm.adapt(csv.map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([norm, tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mae")
model.fit(train, epochs=10)
