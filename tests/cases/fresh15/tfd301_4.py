import glob
import os

import tensorflow as tf

SIZE = 96
CLASSES = ["bacterial", "normal", "viral"]


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
    image = tf.image.resize(image, (SIZE, SIZE))
    return image / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_contrast(image, 0.8, 1.2)
    padded = tf.image.pad_to_bounding_box(image, 4, 4, SIZE + 8, SIZE + 8)
    return tf.image.random_crop(padded, (SIZE, SIZE, 1)), label


def make(split):
    files, labels = [], []
    for k, name in enumerate(CLASSES):
        found = sorted(glob.glob(os.path.join("/data/chest", split, name, "*.jpeg")))
        files += found
        labels += [k] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache()
    if split == "train":
        ds = ds.shuffle(len(files))
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((SIZE, SIZE, 1)),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(len(CLASSES), activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make("train"), validation_data=make("val"), epochs=25)


if __name__ == "__main__":
    main()
