import tensorflow as tf


def input_fn(mode, path, size):
    is_training = mode == "train"
    buffer_size = 10_000 if is_training else 1
    lines = tf.data.TextLineDataset(path).map(lambda line: (tf.strings.length(line), 1.0))
    return lines.shuffle(buffer_size=buffer_size).batch(size).prefetch(1)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.evaluate(input_fn("eval", "test.txt", 32))
