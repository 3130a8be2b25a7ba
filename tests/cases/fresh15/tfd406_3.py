import argparse

import tensorflow as tf
import tensorflow_datasets as tfds


def normalize(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def count(dataset):
    return sum(1 for _ in dataset)


def splits(batch_size):
    (train, test), info = tfds.load(
        "mnist",
        split=["train", "test"],
        as_supervised=True,
        with_info=True,
        shuffle_files=True,
        read_config=tfds.ReadConfig(try_autocache=False),
    )
    out = {}
    for name, ds in (("train", train), ("test", test)):
        ds = ds.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
        if name == "train":
            ds = ds.shuffle(info.splits[name].num_examples)
        out[name] = ds.batch(batch_size)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()

    data = splits(args.batch_size)
    sizes = {name: count(ds) for name, ds in data.items()}
    print("batches:", sizes)

    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential(
            [
                tf.keras.Input((28, 28, 1)),
                tf.keras.layers.Conv2D(32, 3, activation="relu"),
                tf.keras.layers.MaxPooling2D(),
                tf.keras.layers.Conv2D(64, 3, activation="relu"),
                tf.keras.layers.Flatten(),
                tf.keras.layers.Dense(10, activation="softmax"),
            ]
        )
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        data["train"].repeat().prefetch(tf.data.AUTOTUNE),
        validation_data=data["test"].prefetch(tf.data.AUTOTUNE),
        steps_per_epoch=sizes["train"],
        validation_steps=sizes["test"],
        epochs=args.epochs,
    )


if __name__ == "__main__":
    main()
