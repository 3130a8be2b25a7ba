import tensorflow as tf

SETTINGS = {
    "shuffle": {"buffer_size": 60_000, "seed": 5},
    "batch": {"batch_size": 256},
    "prefetch": {"buffer_size": tf.data.AUTOTUNE},
}


def tokenise(batch):
    fields = tf.strings.split(batch, ",").to_tensor(shape=[None, 21])
    values = tf.strings.to_number(fields)
    return values[:, :20], values[:, 20]


def apply_settings(ds, settings):
    for method, kwargs in settings.items():
        ds = getattr(ds, method)(**kwargs)
        if method == "batch":
            ds = ds.map(tokenise, num_parallel_calls=tf.data.AUTOTUNE)
    return ds


def regressor():
    return tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1),
    ])


def main():
    lines = tf.data.TextLineDataset("housing/train.csv").skip(1)
    train = apply_settings(lines, SETTINGS)
    model = regressor()
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(train, epochs=30)
    model.save("out/housing")


if __name__ == "__main__":
    main()
