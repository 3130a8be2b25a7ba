import glob
import os
from types import SimpleNamespace

import tensorflow as tf

cfg = SimpleNamespace(
    root="/data/plants",
    size=260,
    batch=64,
    shuffle=10_000,
    prefetch=tf.data.AUTOTUNE,
    epochs=15,
)


def read(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (cfg.size, cfg.size)), label


def augment(images, labels):
    images = tf.image.random_flip_left_right(images)
    return tf.image.random_brightness(images, 20.0), labels


def make(split):
    names = sorted(os.listdir(os.path.join(cfg.root, "train")))
    pairs = [
        (path, i)
        for i, name in enumerate(names)
        for path in glob.glob(os.path.join(cfg.root, split, name, "*.jpg"))
    ]
    paths, labels = map(list, zip(*pairs))
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE).batch(cfg.batch)
    if split == "train":
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(cfg.prefetch), len(names)


if __name__ == "__main__":
    train, n = make("train")
    valid, _ = make("valid")
    base = tf.keras.applications.EfficientNetB2(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(n, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=cfg.epochs)
