import functools

import keras
import tensorflow as tf

Conv = functools.partial(keras.layers.Conv2D, padding="same",
                         kernel_initializer="he_normal",
                         kernel_regularizer=keras.regularizers.L2(1e-4))


def unit(x, filters, kernel=3, strides=1, activation="relu"):
    x = Conv(filters, kernel, strides=strides)(x)
    x = keras.layers.BatchNormalization()(x)
    return keras.layers.Activation(activation)(x) if activation else x


def residual(x, filters, strides=1):
    shortcut = x
    if strides != 1 or x.shape[-1] != filters:
        shortcut = unit(x, filters, kernel=1, strides=strides, activation=None)
    y = unit(x, filters, strides=strides)
    y = unit(y, filters, activation=None)
    return keras.layers.ReLU()(keras.layers.Add()([shortcut, y]))


def resnet(classes):
    inputs = keras.Input((32, 32, 3))
    x = keras.layers.Rescaling(1 / 127.5, offset=-1)(inputs)
    x = unit(x, 16)
    for filters, strides in ((16, 1), (32, 2), (64, 2)):
        x = residual(x, filters, strides)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(classes)(x))


def main():
    (x, y), _ = keras.datasets.cifar10.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    ds = ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = resnet(10)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=50)


if __name__ == "__main__":
    main()
