import argparse

import pandas as pd
import tensorflow as tf


def frame_to_dataset(frame, target, batch_size, buffer=None):
    frame = frame.sort_values(target)
    labels = frame.pop(target)
    ds = tf.data.Dataset.from_tensor_slices((frame.to_numpy("float32"), labels.to_numpy()))
    if buffer:
        ds = ds.shuffle(buffer_size=buffer)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--train", default="/data/fraud/train.parquet")
    p.add_argument("--valid", default="/data/fraud/valid.parquet")
    p.add_argument("--batch_size", type=int, default=1024)
    return p.parse_args()


def main():
    args = parse_args()
    train = frame_to_dataset(pd.read_parquet(args.train), "is_fraud",
                             args.batch_size, buffer=32)
    valid = frame_to_dataset(pd.read_parquet(args.valid), "is_fraud", args.batch_size)
    model = tf.keras.Sequential([
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    model.fit(train, validation_data=valid, epochs=15)


if __name__ == "__main__":
    main()
