"""Diabetic retinopathy grading."""
import argparse

import pandas as pd
import tensorflow as tf


def decode_fundus(size):
    def fn(path, grade):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.central_crop(image, 0.85)
        image = tf.image.resize(image, (size, size)) / 255.0
        return image, grade

    return fn


def flip(image, grade):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_flip_up_down(image), grade


def datasets(args):
    table = pd.read_csv(args.csv).sample(frac=1.0, random_state=0)
    table["path"] = args.images + "/" + table["image"] + ".jpeg"
    cut = int(0.9 * len(table))
    frames = {"train": table.iloc[:cut], "val": table.iloc[cut:]}
    out = {}
    for name, frame in frames.items():
        ds = tf.data.Dataset.from_tensor_slices((frame["path"].to_numpy(str), frame["level"].to_numpy("int32")))
        ds = ds.map(decode_fundus(args.size), num_parallel_calls=tf.data.AUTOTUNE)
        if name == "train":
            ds = ds.shuffle(args.buffer)
            ds = ds.map(flip, num_parallel_calls=tf.data.AUTOTUNE)
        out[name] = ds.batch(args.batch).prefetch(tf.data.AUTOTUNE)
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--csv", default="trainLabels.csv")
    p.add_argument("--images", default="/data/eyepacs/train")
    p.add_argument("--size", type=int, default=512)
    p.add_argument("--buffer", type=int, default=8000)
    p.add_argument("--batch", type=int, default=16)
    args = p.parse_args()

    data = datasets(args)
    base = tf.keras.applications.EfficientNetV2S(
        include_top=False, pooling="avg", include_preprocessing=False, input_shape=(args.size, args.size, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Dropout(0.4), tf.keras.layers.Dense(5, activation="softmax")])
    model.compile(tf.keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["val"], epochs=15)
    model.save("retinopathy.keras")


if __name__ == "__main__":
    main()
