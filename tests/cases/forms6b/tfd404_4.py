import argparse

import pandas as pd
import tensorflow as tf

FRACTIONS = {"train": 0.8, "val": 0.1, "test": 0.1}
FEATURES = ["age", "income", "tenure", "calls", "balance"]


def load_table(path):
    frame = pd.read_csv(path)
    features = frame[FEATURES].to_numpy("float32")
    return tf.data.Dataset.from_tensor_slices((features, frame["churn"].to_numpy("float32"))), len(frame)


def split_by_fraction(ds, size, fractions):
    parts = {}
    offset = 0
    for name, fraction in fractions.items():
        count = int(size * fraction)
        parts[name] = ds.skip(offset).take(count)
        offset += count
    return parts


def finish(name, part, batch_size):
    part = part.cache()
    if name == "train":
        part = part.shuffle(50_000)
    return part.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("csv")
    parser.add_argument("--batch_size", type=int, default=1024)
    args = parser.parse_args()

    ds, size = load_table(args.csv)
    shuffle_options = dict(seed=7, reshuffle_each_iteration=False)
    ds = ds.shuffle(size, **shuffle_options)
    parts = split_by_fraction(ds, size, FRACTIONS)
    parts = {name: finish(name, part, args.batch_size) for name, part in parts.items()}

    model = tf.keras.Sequential([
        tf.keras.Input((len(FEATURES),)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(parts["train"], validation_data=parts["val"], epochs=40)
    print(model.evaluate(parts["test"], return_dict=True))


if __name__ == "__main__":
    main()
