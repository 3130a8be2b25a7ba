import glob
import os

import tensorflow as tf

SEED = (7, 13)
SIZE = 192
CLASS_NAMES = ("healthy", "rust", "scab", "multiple")


class Augment:
    def __init__(self, seed=SEED, strength=0.2):
        self.seed = seed
        self.strength = strength

    def __call__(self, image, label):
        image = tf.image.stateless_random_flip_left_right(image, seed=self.seed)
        image = tf.image.stateless_random_brightness(image, self.strength, seed=self.seed)
        image = tf.image.stateless_random_crop(image, (SIZE - 16, SIZE - 16, 3), seed=self.seed)
        return image, label


def center(image, label):
    return tf.image.central_crop(image, (SIZE - 16) / SIZE), label


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, (SIZE, SIZE)), label


def leaves(split, batch_size=32):
    paths, labels = [], []
    for i, name in enumerate(CLASS_NAMES):
        hits = glob.glob(os.path.join("/data/leaves", split, name, "*.jpg"))
        paths += hits
        labels += [i] * len(hits)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    if split == "train":
        ds = ds.shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    if split == "train":
        ds = ds.map(Augment(), num_parallel_calls=tf.data.AUTOTUNE)
    else:
        ds = ds.map(center, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    base = tf.keras.applications.DenseNet121(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(len(CLASS_NAMES), activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(leaves("train"), validation_data=leaves("valid"), epochs=30)


if __name__ == "__main__":
    main()
