import tensorflow as tf

READ = {"open_files": 8, "threads": 8}


def parse(line):
    values = tf.strings.to_number(tf.strings.split(line, ","))
    return tf.ensure_shape(values[1:], [15]), values[0]


def read(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(
        tf.data.TextLineDataset, cycle_length=READ["open_files"], num_parallel_calls=READ["threads"])


ds = read("/data/meters/*.csv").shuffle(20_000)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(256).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=5)
