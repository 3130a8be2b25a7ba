import tensorflow as tf
from tensorflow.keras import layers

on_gpu = bool(tf.config.list_physical_devices("GPU"))
data_format = "channels_first" if on_gpu else "channels_last"
bn_axis = 1 if data_format == "channels_first" else -1


def bottleneck(x, filters):
    y = layers.Conv2D(filters, 1, data_format=data_format)(x)
    y = layers.ReLU()(layers.BatchNormalization(axis=bn_axis)(y))
    y = layers.Conv2D(filters, 3, padding="same", data_format=data_format)(y)
    y = layers.BatchNormalization(axis=bn_axis)(y)
    return layers.ReLU()(layers.Add()([x, y]))


def network(classes):
    inputs = layers.Input((224, 224, 3))
    x = layers.Permute((3, 1, 2))(inputs) if data_format == "channels_first" else inputs
    x = layers.Conv2D(64, 7, strides=4, data_format=data_format)(x)
    for _ in range(4):
        x = bottleneck(x, 64)
    x = layers.GlobalAveragePooling2D(data_format=data_format)(x)
    return tf.keras.Model(inputs, layers.Dense(classes)(x))


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (224, 224)) / 255.0, label


ds = tf.data.Dataset.list_files("/data/places/*/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = network(365)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=30)
