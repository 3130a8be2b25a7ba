import os
import glob

import numpy as np
import tensorflow as tf

ROOT = "/data/monkeys"
SIZE = 224


def load_split(split):
    images, labels = [], []
    names = sorted(os.listdir(os.path.join(ROOT, split)))
    for idx, name in enumerate(names):
        for path in glob.glob(os.path.join(ROOT, split, name, "*.jpg")):
            raw = tf.io.read_file(path)
            image = tf.io.decode_jpeg(raw, channels=3)
            image = tf.image.resize(image, (SIZE, SIZE))
            images.append(tf.cast(image, tf.uint8).numpy())
            labels.append(idx)
    return np.stack(images), np.asarray(labels), len(names)


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def dataset(images, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        ds = ds.shuffle(len(images))
    ds = ds.batch(32)
    ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    x_train, y_train, n = load_split("training")
    x_valid, y_valid, _ = load_split("validation")
    base = tf.keras.applications.VGG16(include_top=False, pooling="avg")
    base.trainable = False
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(n, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        dataset(x_train, y_train, True),
        validation_data=dataset(x_valid, y_valid, False),
        epochs=20,
    )


if __name__ == "__main__":
    main()
