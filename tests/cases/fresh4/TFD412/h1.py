import functools

import tensorflow as tf


def load(path, training=True):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (140, 140)) / 255.0
    if training:
        image = tf.image.random_crop(image, (128, 128, 3))
        image = tf.image.random_hue(image, 0.05)
    else:
        image = tf.image.resize_with_crop_or_pad(image, 128, 128)
    return image, tf.cast(tf.strings.regex_full_match(path, ".*/ripe/.*"), tf.float32)


train = tf.data.Dataset.list_files("bananas/train/*/*.jpg")
train = train.map(load, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(32).prefetch(tf.data.AUTOTUNE)

valid = tf.data.Dataset.list_files("bananas/valid/*/*.jpg", shuffle=False)
valid = valid.map(functools.partial(load, training=False), num_parallel_calls=tf.data.AUTOTUNE)
valid = valid.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=12)
