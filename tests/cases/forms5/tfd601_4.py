import functools

import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_enum("layout", "channels_first", ["channels_first", "channels_last"], "layout")
flags.DEFINE_string("root", "/data/celeba", "aligned faces, one folder an attribute")


def residual(x, filters, conv, axis):
    y = tf.keras.layers.BatchNormalization(axis=axis)(conv(filters, 3)(x))
    y = tf.keras.layers.ReLU()(y)
    y = tf.keras.layers.BatchNormalization(axis=axis)(conv(filters, 3)(y))
    return tf.keras.layers.ReLU()(tf.keras.layers.Add()([conv(filters, 1)(x), y]))


def network(layout):
    conv = functools.partial(tf.keras.layers.Conv2D, padding="same", data_format=layout)
    axis = 1 if layout == "channels_first" else 3
    shape = (3, 128, 128) if axis == 1 else (128, 128, 3)
    inputs = x = tf.keras.Input(shape)
    for filters in (32, 64, 128):
        x = residual(x, filters, conv, axis)
        x = tf.keras.layers.MaxPooling2D(data_format=layout)(x)
    x = tf.keras.layers.GlobalAveragePooling2D(data_format=layout)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(2)(x))


def dataset(layout):
    ds = tf.keras.utils.image_dataset_from_directory(
        FLAGS.root, image_size=(128, 128), batch_size=128)
    if layout == "channels_first":
        ds = ds.map(lambda x, y: (tf.transpose(x, [0, 3, 1, 2]) / 255.0, y))
    else:
        ds = ds.map(lambda x, y: (x / 255.0, y))
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    model = network(FLAGS.layout)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(dataset(FLAGS.layout), epochs=15)


if __name__ == "__main__":
    app.run(main)
