from functools import partial

import tensorflow as tf


def read(path, size):
    data = tf.io.read_file(path)
    image = tf.io.decode_png(data, channels=1)
    return tf.image.resize(image, size, method="area")


def pair(a, b, same, size):
    return (read(a, size), read(b, size)), same


lines = [line.split() for line in open("pairs.txt")]
left, right, same = zip(*lines)
ds = tf.data.Dataset.from_tensor_slices((list(left), list(right), [float(s) for s in same]))
ds = ds.shuffle(len(lines), seed=8)
ds = ds.map(partial(pair, size=(105, 105)), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

tower = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 7, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(64),
])
a, b = tf.keras.Input((105, 105, 1)), tf.keras.Input((105, 105, 1))
diff = tf.keras.layers.Subtract()([tower(a), tower(b)])
model = tf.keras.Model([a, b], tf.keras.layers.Dense(1, activation="sigmoid")(diff))
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
