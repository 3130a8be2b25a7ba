"""Cats vs dogs fine-tuning."""
import random

import tensorflow as tf
import tensorflow_datasets as tfds

SIZE = 192
BATCH = 64


def resize(image, label):
    return tf.image.resize(image, (SIZE, SIZE)), label


def augment(image, label):
    if random.random() > 0.5:
        image = tf.image.flip_left_right(image)
    delta = random.uniform(-30, 30)
    image = tf.image.adjust_brightness(image, delta)
    k = random.choice([0, 0, 0, 1, 3])
    image = tf.image.rot90(image, k)
    return tf.clip_by_value(image, 0.0, 255.0), label


def loaders():
    train, val = tfds.load(
        "cats_vs_dogs",
        split=["train[:85%]", "train[85%:]"],
        as_supervised=True,
        shuffle_files=True,
    )
    train = (
        train.shuffle(2000)
        .map(resize, num_parallel_calls=tf.data.AUTOTUNE)
        .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(BATCH)
        .prefetch(tf.data.AUTOTUNE)
    )
    val = val.map(resize, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    return train, val


def main():
    train, val = loaders()
    base = tf.keras.applications.EfficientNetV2B0(include_top=False, pooling="avg", input_shape=(SIZE, SIZE, 3))
    base.trainable = False
    model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(1)])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-3),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.BinaryAccuracy(threshold=0.0)],
    )
    model.fit(train, validation_data=val, epochs=8)
    base.trainable = True
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-5),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.BinaryAccuracy(threshold=0.0)],
    )
    model.fit(train, validation_data=val, epochs=4)


if __name__ == "__main__":
    main()
