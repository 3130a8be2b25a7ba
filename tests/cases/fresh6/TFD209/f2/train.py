import settings

import keras
import tensorflow as tf

teacher = keras.models.load_model(settings.TEACHER)
SPEC = {"png": tf.io.FixedLenFeature([], tf.string)}


def parse(record):
    png = tf.io.parse_single_example(record, SPEC)["png"]
    image = tf.io.decode_png(png, channels=3)
    return tf.image.resize(image, (settings.SIDE, settings.SIDE)) / 255.0


files = tf.data.Dataset.list_files(settings.PATTERN)
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(5000).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(settings.BATCH)
ds = ds.map(lambda x: (x, teacher(x)), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

student = keras.Sequential([
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(10),
])
student.compile("adam", "mse")
student.fit(ds, epochs=10)
