import functools

import keras
import tensorflow as tf

Conv = functools.partial(keras.layers.Conv2D, padding="same", use_bias=False,
                         kernel_initializer="he_normal")


def unit(x, filters, strides=1):
    x = Conv(filters, 3, strides=strides)(x)
    x = keras.layers.BatchNormalization()(x)
    return keras.layers.ReLU()(x)


def stem(x):
    x = keras.layers.Conv2D(32, 3, activation="relu", padding="same")(x)
    return keras.layers.BatchNormalization()(x)


def network(classes):
    inputs = keras.Input((32, 32, 3))
    x = keras.layers.Rescaling(1 / 127.5, offset=-1)(inputs)
    x = stem(x)
    for filters, strides in ((64, 1), (128, 2), (256, 2)):
        x = unit(x, filters, strides)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(classes)(x))


def main():
    (x, y), _ = keras.datasets.cifar10.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    ds = ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = network(10)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=50)


if __name__ == "__main__":
    main()
