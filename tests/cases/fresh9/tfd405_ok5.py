import argparse

import tensorflow as tf

SIZES = {"train": 60_000, "test": 10_000}


def make(split, batch_size):
    x, y = dict(zip(("train", "test"), tf.keras.datasets.mnist.load_data()))[split]
    training = split == "train"
    ds = tf.data.Dataset.from_tensor_slices((x[..., None], y))
    if training:
        ds = ds.shuffle(SIZES[split])
    ds = ds.repeat(None if training else 1)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255.0, b), tf.data.AUTOTUNE).prefetch(2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()

    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.Input((28, 28, 1)),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(10, activation="softmax"),
        ])
        model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])

    model.fit(
        make("train", args.batch_size),
        epochs=args.epochs,
        steps_per_epoch=SIZES["train"] // args.batch_size,
        validation_data=make("test", args.batch_size))
    print(model.evaluate(make("test", args.batch_size), return_dict=True))


if __name__ == "__main__":
    main()
