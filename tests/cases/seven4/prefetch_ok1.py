import functools

import tensorflow as tf
from tensorflow.keras import layers


def prefetched(depth=tf.data.AUTOTUNE):
    def wrap(builder):
        @functools.wraps(builder)
        def inner(*args, **kwargs):
            return builder(*args, **kwargs).prefetch(depth)
        return inner
    return wrap


def load_patch(path):
    name = tf.strings.split(path, "/")[-2]
    patch = tf.image.decode_png(tf.io.read_file(path), channels=3)
    patch = tf.image.convert_image_dtype(tf.ensure_shape(patch, (96, 96, 3)), tf.float32)
    return patch, tf.cast(name == "tumor", tf.float32)


@prefetched()
def patches(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(load_patch, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=training)


def network():
    inputs = tf.keras.Input((96, 96, 3))
    x = layers.RandomFlip("horizontal_and_vertical")(inputs)
    for width in (32, 64, 128):
        x = layers.Conv2D(width, 3, activation="relu")(x)
        x = layers.MaxPooling2D()(x)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


train = patches("/data/pcam/train/*/*.png", 128, training=True)
valid = patches("/data/pcam/valid/*/*.png", 256, training=False)
model = network()
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
model.fit(train, validation_data=valid, epochs=30)
