import argparse

import keras
import tensorflow as tf


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default="/data/aclImdb")
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--max-len", type=int, default=400)
    return p.parse_args()


def load(root, subset):
    return keras.utils.text_dataset_from_directory(f"{root}/train", validation_split=0.2, subset=subset, seed=1)


def configure(ds, vectorize, batch_size):
    ds = ds.map(lambda text, y: (vectorize(text), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    args = get_args()
    raw = {name: load(args.root, name) for name in ("training", "validation")}
    vectorize = keras.layers.TextVectorization(max_tokens=20_000, output_sequence_length=args.max_len)
    vectorize.adapt(raw["training"].map(lambda text, y: text, num_parallel_calls=tf.data.AUTOTUNE))
    data = {name: configure(ds, vectorize, args.batch_size) for name, ds in raw.items()}
    model = keras.Sequential([
        keras.layers.Embedding(20_000, 64), keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(data["training"], validation_data=data["validation"], epochs=10)


if __name__ == "__main__":
    main()
