import argparse

import keras
import tensorflow as tf


def pad_and_crop(image, pad=4):
    image = tf.image.pad_to_bounding_box(image, pad, pad, 32 + 2 * pad, 32 + 2 * pad)
    return tf.image.random_crop(image, [32, 32, 3])


def on_image(fn):
    return lambda image, label: (fn(image), label)


def input_pipeline(images, labels, args):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.shuffle(len(images), reshuffle_each_iteration=True)
    ds = ds.map(on_image(lambda x: tf.cast(x, tf.float32) / 255.0),
                num_parallel_calls=tf.data.AUTOTUNE)
    if args.augment:
        ds = ds.map(on_image(pad_and_crop), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--augment", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()

    (x_train, y_train), _ = keras.datasets.cifar10.load_data()
    model = keras.Sequential([
        keras.Input((32, 32, 3)),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(10),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(input_pipeline(x_train, y_train, args), epochs=args.epochs)


if __name__ == "__main__":
    main()
