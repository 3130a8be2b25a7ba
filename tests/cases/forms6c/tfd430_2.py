import argparse

import keras
import tensorflow as tf


def load_split(args, subset):
    return keras.utils.image_dataset_from_directory(
        args.data_dir,
        validation_split=0.2,
        subset=subset,
        seed=args.seed,
        image_size=(args.size, args.size),
        batch_size=args.batch_size,
        label_mode="int",
    )


def unit_range(images, labels):
    return tf.image.convert_image_dtype(images, dtype=tf.float32), labels


def build_model(args, classes):
    return keras.Sequential([
        keras.Input((args.size, args.size, 3)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(classes),
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-dir", default="/data/flower_photos")
    parser.add_argument("--size", type=int, default=180)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=123)
    args = parser.parse_args()

    splits = {name: load_split(args, name) for name in ("training", "validation")}
    classes = len(splits["training"].class_names)
    splits = {
        name: ds.map(unit_range, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
        for name, ds in splits.items()
    }
    model = build_model(args, classes)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(splits["training"], validation_data=splits["validation"], epochs=20)


if __name__ == "__main__":
    main()
