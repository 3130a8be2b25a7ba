"""ResNet for small images, after the old official-models code."""
import argparse

import tensorflow as tf
import tensorflow_datasets as tfds

L = tf.keras.layers


def conv2d_fixed_padding(x, filters, kernel_size, strides, data_format):
    return L.Conv2D(
        filters,
        kernel_size,
        strides=strides,
        padding="same",
        use_bias=False,
        kernel_initializer="he_normal",
        data_format=data_format,
    )(x)


def batch_norm(x, data_format):
    return L.BatchNormalization(axis=1 if data_format == "channels_first" else 3, momentum=0.997)(x)


def block(x, filters, strides, data_format):
    shortcut = x
    x = L.ReLU()(batch_norm(x, data_format))
    if strides > 1 or shortcut.shape[1 if data_format == "channels_first" else 3] != filters:
        shortcut = conv2d_fixed_padding(x, filters, 1, strides, data_format)
    x = conv2d_fixed_padding(x, filters, 3, strides, data_format)
    x = L.ReLU()(batch_norm(x, data_format))
    return L.Add()([conv2d_fixed_padding(x, filters, 3, 1, data_format), shortcut])


def resnet(n, classes, data_format=None):
    data_format = data_format or (
        "channels_first" if tf.config.list_physical_devices("GPU") else "channels_last"
    )
    inp = x = L.Input((32, 32, 3))
    if data_format == "channels_first":
        x = L.Permute((3, 1, 2))(x)
    x = conv2d_fixed_padding(x, 16, 3, 1, data_format)
    for stage, filters in enumerate((16, 32, 64)):
        for i in range(n):
            x = block(x, filters, 2 if stage and i == 0 else 1, data_format)
    x = L.GlobalAveragePooling2D(data_format=data_format)(x)
    return tf.keras.Model(inp, L.Dense(classes, dtype="float32")(x))


def input_fn(split, batch):
    def prepare(x, y):
        return tf.image.per_image_standardization(x), y

    ds = tfds.load("cifar10", split=split, as_supervised=True).cache()
    if split == "train":
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch, drop_remainder=True).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data_format", choices=["channels_first", "channels_last"], default=None)
    ap.add_argument("--n", type=int, default=5)
    args = ap.parse_args()
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = resnet(args.n, 10, args.data_format)
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), loss, metrics=["accuracy"])
    model.fit(input_fn("train", 256), validation_data=input_fn("test", 250), epochs=180)


if __name__ == "__main__":
    main()
