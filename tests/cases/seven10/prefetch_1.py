"""Species classifier on 48k camera-trap photographs."""
import argparse
import pathlib

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
CLASSES = ["boar", "deer", "fox", "hare", "lynx"]


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (224, 224))
    return image / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.15)
    return tf.clip_by_value(image, 0.0, 1.0), label


def index(root):
    files, labels = [], []
    for i, name in enumerate(CLASSES):
        found = sorted(str(p) for p in (root / name).glob("*.jpg"))
        files += found
        labels += [i] * len(found)
    return files, labels


def build_splits(root, batch_size):
    splits = {}
    for split in ("train", "validation"):
        files, labels = index(root / split)
        ds = tf.data.Dataset.from_tensor_slices((files, labels))
        if split == "train":
            ds = ds.shuffle(len(files))
        ds = ds.map(load, num_parallel_calls=AUTO)
        if split == "train":
            ds = ds.map(augment, num_parallel_calls=AUTO)
            ds = ds.batch(batch_size, drop_remainder=True)
        else:
            ds = ds.batch(batch_size).prefetch(AUTO)
        splits[split] = ds
    return splits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    data = build_splits(args.root, args.batch_size)
    model = tf.keras.applications.MobileNetV2(weights=None, classes=len(CLASSES))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["validation"], epochs=30)


if __name__ == "__main__":
    main()
