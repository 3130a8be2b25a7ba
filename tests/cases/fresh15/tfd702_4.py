import tensorflow as tf

ROWS = 1_200_000
NUMERIC = ["distance", "passengers", "hour", "weekday"]
BATCH = 1024


def pack(features, fare):
    x = tf.stack([tf.cast(features[name], tf.float32) for name in NUMERIC], axis=-1)
    return x, fare


def sane(x, fare):
    return fare > 0.0


def trips(pattern):
    ds = tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=BATCH,
        select_columns=NUMERIC + ["fare"],
        column_defaults=[0.0, 0.0, 0.0, 0.0, 0.0],
        label_name="fare",
        num_epochs=1,
        shuffle=True,
        shuffle_buffer_size=200_000,
        num_parallel_reads=8,
        prefetch_buffer_size=1,
    )
    ds = ds.map(pack, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.unbatch().filter(sane).take(ROWS)
    ds = ds.apply(tf.data.experimental.assert_cardinality(ROWS))
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def main():
    train = trips("/data/taxi/train-*.csv")
    print("batches:", int(train.cardinality()))
    norm = tf.keras.layers.Normalization()
    norm.adapt(train.map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE).take(200))
    model = tf.keras.Sequential(
        [
            norm,
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile("adam", "mae")
    model.fit(train, epochs=5)


if __name__ == "__main__":
    main()
