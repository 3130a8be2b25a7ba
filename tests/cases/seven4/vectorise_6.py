import argparse

import keras
import tensorflow as tf
import tensorflow_datasets as tfds


class Svhn:
    name = "svhn_cropped"

    @staticmethod
    def standard(example):
        grey = tf.reduce_mean(tf.cast(example["image"], tf.float32), axis=-1, keepdims=True)
        return (grey - 113.0) * (1 / 50.0), tf.one_hot(example["label"], 10)

    @classmethod
    def splits(cls, *names):
        loaded = tfds.load(cls.name, split=list(names), shuffle_files=True)
        return {
            name: ds.map(cls.standard, num_parallel_calls=tf.data.AUTOTUNE)
            for name, ds in zip(names, loaded)
        }


def finish(ds, batch_size, *, shuffle=0):
    if shuffle:
        ds = ds.shuffle(shuffle)
    return ds.batch(batch_size, drop_remainder=bool(shuffle)).prefetch(tf.data.AUTOTUNE)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-b", "--batch-size", type=int, default=1024)
    parser.add_argument("-e", "--epochs", type=int, default=60)
    args = parser.parse_args(argv)

    splits = Svhn.splits("extra", "test")
    train = finish(splits["extra"], args.batch_size, shuffle=20_000)
    test = finish(splits["test"], args.batch_size)

    model = keras.Sequential([keras.Input((32, 32, 1))])
    for width in (32, 64, 96):
        model.add(keras.layers.Conv2D(width, 3, activation="relu", padding="same"))
        model.add(keras.layers.MaxPooling2D())
    model.add(keras.layers.Flatten())
    model.add(keras.layers.Dense(10))
    model.compile("adam", keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=args.epochs)


if __name__ == "__main__":
    main()
