import functools

import tensorflow as tf


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    img = tf.image.resize(img, (64, 512), method="area")
    text = tf.strings.regex_replace(path, r".*/|\.png$", "")
    return img / 255.0, tf.strings.length(text)


def cached(ds):
    return ds.cache()


def decoded(ds):
    return ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)


def shuffled(ds):
    return ds.shuffle(4096)


def batched(ds):
    return ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


steps = [cached, shuffled, decoded, batched]
words = tf.data.Dataset.list_files("/data/words/*.png")
train_ds = functools.reduce(lambda d, step: step(d), steps, words)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train_ds, epochs=40)
