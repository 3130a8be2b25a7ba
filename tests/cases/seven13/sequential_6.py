"""Fine-grained cars classification with AugMix-like augmentation."""
import functools
import json

import tensorflow as tf


def decode(path, label, size):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, [size, size]), label


def _chain(img, depth):
    for _ in range(depth):
        pick = tf.random.uniform([], 0, 4, tf.int32)
        img = tf.switch_case(pick, [
            lambda: tf.image.random_hue(img, 0.1),
            lambda: tf.image.random_saturation(img, 0.5, 1.5),
            lambda: tf.image.adjust_jpeg_quality(img, tf.random.uniform([], 40, 95, tf.int32)),
            lambda: tf.image.resize(tf.image.central_crop(img, 0.8), tf.shape(img)[:2]),
        ])
    return img


def augmix(img, label, width=3, depth=3):
    img = img / 255.0
    mixed = tf.zeros_like(img)
    weights = tf.random.uniform([width])
    weights /= tf.reduce_sum(weights)
    for k in range(width):
        mixed += weights[k] * _chain(img, depth)
    m = tf.random.uniform([])
    return m * img + (1.0 - m) * mixed, label


def build_pair(index_file, batch, size=224):
    with open(index_file) as f:
        index = json.load(f)
    read = functools.partial(decode, size=size)

    def base(split):
        ds = tf.data.Dataset.from_tensor_slices((index[split]["paths"], index[split]["labels"]))
        return ds.map(read, num_parallel_calls=tf.data.AUTOTUNE).cache()

    train = base("train").shuffle(8144)
    train = train.map(augmix)
    train = train.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    val = base("test").batch(batch)
    val = val.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return train, val.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    train_ds, val_ds = build_pair("/data/stanford_cars/index.json", 64)
    net = tf.keras.applications.EfficientNetB0(weights=None, classes=196)
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(train_ds, validation_data=val_ds, epochs=120)
