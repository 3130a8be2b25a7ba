import argparse

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


def read_list(path):
    with open(path) as handle:
        rows = [line.split() for line in handle]
    return [r[0] for r in rows], [int(r[1]) for r in rows]


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [160, 160]) / 255.0, label


def augmenter(seed):
    def augment(index, image, label):
        key = tf.stack([tf.cast(index, tf.int32), seed])
        image = tf.image.stateless_random_flip_left_right(image, key)
        image = tf.image.stateless_random_brightness(image, 0.1, key)
        return image, label

    return augment


def train_dataset(args):
    paths, labels = read_list(args.train_list)
    ds = Dataset.from_tensor_slices((paths, labels))
    ds = ds.shuffle(len(paths)).map(decode, num_parallel_calls=AUTOTUNE)
    if args.augment:
        ds = ds.repeat(args.epochs).enumerate()
        ds = ds.map(augmenter(args.seed), num_parallel_calls=AUTOTUNE)
    else:
        ds = ds.repeat(args.epochs)
    ds = ds.batch(args.batch_size, drop_remainder=True).prefetch(AUTOTUNE)
    return ds, len(paths) // args.batch_size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train_list", required=True)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--augment", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()

    ds, steps = train_dataset(args)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(160, 160, 3), weights=None, classes=120
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, steps_per_epoch=steps, epochs=args.epochs)


if __name__ == "__main__":
    main()
