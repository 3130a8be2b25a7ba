import tensorflow as tf


def parse(line):
    values = tf.io.decode_csv(line, [[0.0]] * 4 + [[0]])
    return tf.stack(values[:4]), values[4]


def input_fn(path, training, batch_size, num_epochs=None):
    ds = tf.data.TextLineDataset(path).skip(1).cache()
    if training:
        ds = ds.shuffle(1000, seed=4)
        ds = ds.repeat(num_epochs)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(10, activation="relu"),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(input_fn("iris_training.csv", True, 32, 40))
model.evaluate(input_fn("iris_test.csv", False, 32))
