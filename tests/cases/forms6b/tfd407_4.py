import argparse

import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def build_model():
    model = tf.keras.Sequential([
        tf.keras.Input((30,)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    return model


def streamed(folder, split, batch_size):
    files = tf.data.Dataset.list_files(f"{folder}/{split}-*.csv", shuffle=split == "train")
    ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=AUTOTUNE)
    if split == "train":
        ds = ds.shuffle(100_000)
    ds = ds.batch(batch_size).map(parse_lines, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def parse_lines(lines):
    fields = tf.io.decode_csv(lines, record_defaults=[[0.0]] * 31)
    return tf.stack(fields[:30], axis=-1), fields[30]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--in_memory", action="store_true")
    parser.add_argument("--batch_size", type=int, default=2048)
    args = parser.parse_args()

    model = build_model()
    class_weight = {0: 1.0, 1: 40.0}
    if args.in_memory:
        table = np.load(f"{args.folder}/train.npz")
        model.fit(
            table["x"],
            table["y"],
            batch_size=args.batch_size,
            validation_split=0.15,
            class_weight=class_weight,
            epochs=12,
        )
    else:
        train_ds = streamed(args.folder, "train", args.batch_size)
        val_ds = streamed(args.folder, "val", args.batch_size)
        model.fit(train_ds, validation_data=val_ds, class_weight=class_weight, epochs=12)
    model.save("fraud.keras")


if __name__ == "__main__":
    main()
