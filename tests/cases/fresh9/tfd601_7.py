"""CIFAR ResNet with mixed precision on an A100."""
import functools

import tensorflow as tf
import tensorflow_datasets as tfds

tf.keras.mixed_precision.set_global_policy("mixed_float16")

conv = functools.partial(
    tf.keras.layers.Conv2D, padding="same", use_bias=False, data_format="channels_first")
norm = functools.partial(tf.keras.layers.BatchNormalization, axis=1)
relu = tf.keras.layers.ReLU


def to_chw(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    return tf.transpose(image, [2, 0, 1]), label


def block(x, filters, stride):
    shortcut = x
    y = relu()(norm()(conv(filters, 3, strides=stride)(x)))
    y = norm()(conv(filters, 3)(y))
    if stride > 1 or x.shape[1] != filters:
        shortcut = norm()(conv(filters, 1, strides=stride)(x))
    return relu()(y + shortcut)


def resnet(classes=10, depth=3):
    inputs = tf.keras.Input((3, 32, 32))
    x = relu()(norm()(conv(64, 3)(inputs)))
    for stage, filters in enumerate((64, 128, 256)):
        for i in range(depth):
            x = block(x, filters, 2 if stage and not i else 1)
    x = tf.keras.layers.GlobalAveragePooling2D(data_format="channels_first")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(classes, dtype="float32")(x))


def main():
    ds = tfds.load("cifar10", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.cache().shuffle(50_000)
    ds = ds.map(to_chw, num_parallel_calls=tf.data.AUTOTUNE).batch(512).prefetch(2)
    model = resnet()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, epochs=100)


if __name__ == "__main__":
    main()
