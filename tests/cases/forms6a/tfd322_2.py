import argparse
import os

import tensorflow as tf
from tensorflow.keras.utils import img_to_array, load_img


def read_list(path):
    with open(path) as f:
        return [line.split() for line in f if line.strip()]


def load_split(root, split, size):
    rows = read_list(os.path.join(root, f"{split}.txt"))
    pixels = [
        img_to_array(load_img(os.path.join(root, name), target_size=size), dtype="uint8")
        for name, _ in rows
    ]
    targets = [int(label) for _, label in rows]
    return pixels, targets


def as_batches(arrays, batch_size, training):
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    if training:
        ds = ds.shuffle(10_000)
    ds = ds.batch(batch_size)
    ds = ds.map(
        lambda x, y: (tf.cast(x, tf.float32) / 127.5 - 1.0, y),
        num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/dtd")
    p.add_argument("--size", type=int, default=96)
    p.add_argument("--batch-size", type=int, default=64)
    args = p.parse_args()

    data = {
        split: as_batches(
            load_split(args.root, split, (args.size, args.size)),
            args.batch_size, split == "train")
        for split in ("train", "val", "test")
    }
    base = tf.keras.applications.MobileNetV2(
        include_top=False, pooling="avg", input_shape=(args.size, args.size, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(47, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["val"], epochs=20)
    print(model.evaluate(data["test"]))


if __name__ == "__main__":
    main()
