import argparse

import tensorflow as tf


def rows(pattern, batch_size):
    ds = tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=batch_size,
        label_name="price",
        num_epochs=1,
        shuffle_buffer_size=5000,
    )
    return ds.map(
        lambda features, label: (tf.stack(list(features.values()), axis=-1), label),
        num_parallel_calls=tf.data.AUTOTUNE,
    ).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="cars/*.csv")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    data = rows(args.pattern, batch_size=128)
    model.fit(data, epochs=args.epochs, steps_per_epoch=args.steps)


if __name__ == "__main__":
    main()
