import tensorflow as tf

import readers


def dataset(pattern, batch_size=256):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.flat_map(readers.csv_lines)
    ds = ds.shuffle(20_000)
    ds = ds.map(readers.parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(dataset("/data/meters/*.csv"), epochs=5)
