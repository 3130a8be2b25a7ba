import tensorflow as tf
from tensorflow.keras import layers


def conv_bn(x, width, stride=1, fmt="channels_first"):
    x = layers.Conv2D(width, 3, stride, "same", use_bias=False, data_format=fmt)(x)
    x = layers.BatchNormalization(axis=1 if fmt == "channels_first" else -1)(x)
    return layers.Activation("swish")(x)


def head(x, classes, fmt="channels_first"):
    return layers.Dense(classes)(layers.GlobalMaxPooling2D(data_format=fmt)(x))


def tower(size, classes):
    inputs = layers.Input((size, size, 3))
    x = layers.Lambda(lambda t: tf.transpose(t, [0, 3, 1, 2]), output_shape=(3, size, size))(inputs)
    for width in (32, 64, 128):
        x = conv_bn(x, width, stride=2)
        x = conv_bn(x, width)
    return tf.keras.Model(inputs, head(x, classes))


def read(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.image.resize(image, (192, 192)) / 255.0, label


files = tf.data.Dataset.list_files("/data/cars/*/*.jpg")
train = files.map(read, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tower(192, 196)
model.compile("adamw", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=50)
