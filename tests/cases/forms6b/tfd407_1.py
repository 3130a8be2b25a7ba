import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
DEFAULTS = {"epochs": 12, "verbose": 2, "validation_split": 0.15}


def parse_row(line):
    fields = tf.io.decode_csv(line, record_defaults=[[0.0]] * 31)
    return tf.stack(fields[:30]), fields[30]


def transactions(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(
        lambda name: tf.data.TextLineDataset(name).skip(1),
        cycle_length=8,
        num_parallel_calls=AUTOTUNE,
    )
    ds = ds.shuffle(100_000)
    ds = ds.map(parse_row, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def build_model():
    model = tf.keras.Sequential([
        tf.keras.Input((30,)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    return model


def train(ds, **overrides):
    kwargs = {**DEFAULTS, **overrides}
    model = build_model()
    history = model.fit(ds, **kwargs)
    return model, history


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/fraud/part-*.csv")
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    model, _ = train(transactions(args.pattern, 2048), epochs=args.epochs)
    model.save("fraud.keras")


if __name__ == "__main__":
    main()
