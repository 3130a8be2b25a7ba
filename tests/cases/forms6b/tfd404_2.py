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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("csv")
    parser.add_argument("--batch_size", type=int, default=1024)
    args = parser.parse_args()

    ds, size = load_table(args.csv)
    ds = ds.shuffle(buffer_size=size, seed=7)
    parts = split_by_fraction(ds, size, FRACTIONS)
    parts = {
        name: part.batch(args.batch_size).prefetch(tf.data.AUTOTUNE) for name, part in parts.items()
    }

    normalizer = tf.keras.layers.Normalization()
    normalizer.adapt(parts["train"].map(lambda x, _: x, num_parallel_calls=tf.data.AUTOTUNE))
    model = tf.keras.Sequential([
        normalizer,
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(parts["train"], validation_data=parts["val"], epochs=40)
    print(model.evaluate(parts["test"], return_dict=True))


if __name__ == "__main__":
    main()
