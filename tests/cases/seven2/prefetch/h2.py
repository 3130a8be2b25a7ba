import functools

import tensorflow as tf


def prefetched(builder):
    @functools.wraps(builder)
    def wrapper(*args, **kwargs):
        return builder(*args, **kwargs).prefetch(tf.data.AUTOTUNE)

    return wrapper


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (128, 128)), tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


@prefetched
def images(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(2000).batch(batch_size)


model = tf.keras.applications.MobileNetV2(weights=None, classes=9, input_shape=(128, 128, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images("/data/tiles/*/*.png", 64), epochs=20)
