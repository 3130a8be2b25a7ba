import argparse

import tensorflow as tf

COLUMNS = ["pickup_hour", "distance", "passengers", "borough", "fare"]


def read_csv(pattern, batch_size, shuffle):
    return tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=batch_size,
        select_columns=COLUMNS,
        label_name="fare",
        num_epochs=1,
        shuffle=shuffle,
        shuffle_buffer_size=100_000,
        num_parallel_reads=8,
    )


def to_vector(features, fare):
    columns = [tf.cast(features[name], tf.float32) for name in COLUMNS[:-1]]
    return tf.stack(columns, axis=-1), fare


STAGES = (
    lambda ds, args: ds.map(to_vector, num_parallel_calls=tf.data.AUTOTUNE),
    lambda ds, args: ds.batch(args.batch_size, num_parallel_calls=tf.data.AUTOTUNE),
    lambda ds, args: ds.prefetch(tf.data.AUTOTUNE),
)


def pipeline(pattern, args, shuffle):
    ds = read_csv(pattern, args.batch_size, shuffle)
    for stage in STAGES:
        ds = stage(ds, args)
    return ds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="/data/taxi/2023-*.csv")
    parser.add_argument("--val", default="/data/taxi/2024-01.csv")
    parser.add_argument("--batch_size", type=int, default=1024)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.Input((4,)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(
        pipeline(args.train, args, True),
        validation_data=pipeline(args.val, args, False),
        epochs=5,
    )


if __name__ == "__main__":
    main()
