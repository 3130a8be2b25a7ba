import functools

import tensorflow as tf

parallel_map = functools.partial(
    tf.data.Dataset.map, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


def load(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (192, 192)), tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)


files = tf.data.Dataset.list_files("/data/shells/*/*.jpg")
ds = parallel_map(files, load)
ds = ds.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.MobileNetV2(weights=None, classes=17, input_shape=(192, 192, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=20)
