import keras
import numpy as np
import tensorflow as tf


def setup():
    keras.utils.set_random_seed(0)
    keras.config.set_image_data_format("channels_first")
    keras.mixed_precision.set_global_policy("mixed_bfloat16")


def load(path):
    with np.load(path) as f:
        images = np.moveaxis(f["images"], -1, 1)  # as in the PyTorch version
        return np.ascontiguousarray(images), f["labels"]


def network():
    inputs = keras.Input((3, 96, 96))
    h = keras.layers.Rescaling(1 / 255)(inputs)
    for width in (64, 128, 256, 512):
        h = keras.layers.Conv2D(width, 3, padding="same", use_bias=False)(h)
        h = keras.layers.BatchNormalization(axis=1)(h)
        h = keras.layers.MaxPooling2D()(keras.layers.ReLU()(h))
    h = keras.layers.GlobalAveragePooling2D()(h)
    return keras.Model(inputs, keras.layers.Dense(50, dtype="float32")(h))


def main():
    setup()
    images, labels = load("/data/landmarks96.npz")
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.shuffle(len(images)).batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = network()
    model.compile(
        optimizer=keras.optimizers.SGD(0.1, momentum=0.9),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.fit(ds, epochs=90)


if __name__ == "__main__":
    main()
