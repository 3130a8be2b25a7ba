import argparse
import csv

import tensorflow as tf

SPLITS = ("train", "dev", "test")


def read_csv(path):
    with open(path, newline="") as handle:
        rows = list(csv.DictReader(handle))
    return [r["text"] for r in rows], [int(r["stars"]) - 1 for r in rows]


def prepare(texts, labels, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((texts, labels))
    ds = ds.shuffle(len(texts))
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build_model(train_texts):
    vectorize = tf.keras.layers.TextVectorization(max_tokens=20_000, output_sequence_length=200)
    vectorize.adapt(train_texts)
    model = tf.keras.Sequential([
        tf.keras.Input((1,), dtype=tf.string),
        vectorize,
        tf.keras.layers.Embedding(20_000, 64, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(5),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


def confusion(model, ds):
    labels = ds.map(lambda _, label: label, num_parallel_calls=tf.data.AUTOTUNE)
    y_true = list(labels.unbatch().as_numpy_iterator())
    logits = model.predict(ds.map(lambda text, _: text, num_parallel_calls=tf.data.AUTOTUNE))
    return tf.math.confusion_matrix(y_true, logits.argmax(-1), num_classes=5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--batch_size", type=int, default=64)
    args = parser.parse_args()

    tables = {split: read_csv(f"{args.folder}/{split}.csv") for split in SPLITS}
    datasets = {split: prepare(*table, args.batch_size) for split, table in tables.items()}

    model = build_model(tables["train"][0])
    model.fit(datasets["train"], validation_data=datasets["dev"], epochs=4)
    print(confusion(model, datasets["test"]).numpy())


if __name__ == "__main__":
    main()
