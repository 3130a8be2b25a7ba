import argparse

import tensorflow as tf
import tensorflow_datasets as tfds


def cast_example(example):
    image = tf.image.convert_image_dtype(example["image"], tf.float32)
    return image, tf.cast(example["label"], tf.float32)


def source(name, split, buffer):
    ds = tfds.load(name, split=split, shuffle_files=True)
    ds = ds.shuffle(buffer)
    return ds.map(cast_example, num_parallel_calls=tf.data.AUTOTUNE)


def finalise(ds, batch_size):
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", default="patch_camelyon")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args(argv)

    train = finalise(source(args.dataset, "train", 20_000), args.batch_size)

    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(train, epochs=args.epochs)


if __name__ == "__main__":
    main()
