import keras
import tensorflow as tf
from keras import layers

if keras.config.image_data_format() == "channels_first":
    raise RuntimeError("set image_data_format to channels_last in ~/.keras/keras.json")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (160, 160)) / 255.0, label


def build(classes, data_format="channels_last"):
    return keras.Sequential([
        keras.Input((160, 160, 3)),
        layers.Conv2D(32, 3, strides=2, activation="relu", data_format=data_format),
        layers.Conv2D(64, 3, strides=2, activation="relu", data_format=data_format),
        layers.GlobalAveragePooling2D(data_format=data_format),
        layers.Dense(classes),
    ])


ds = tf.data.Dataset.list_files("/data/fungi/*/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = build(1394)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
