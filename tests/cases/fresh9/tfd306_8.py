"""Sentiment classifier on Amazon reviews sorted by product."""
import argparse

import tensorflow as tf
from transformers import AutoTokenizer, TFAutoModelForSequenceClassification

tokenizer = AutoTokenizer.from_pretrained("distilbert-base-uncased")


def read_reviews(path):
    texts, labels = [], []
    with open(path, encoding="utf-8") as f:
        for line in f:
            label, text = line.rstrip("\n").split("\t", 1)
            texts.append(text)
            labels.append(int(label))
    return texts, labels


def encode(texts, labels, batch_size, max_len=128):
    enc = tokenizer(texts, truncation=True, padding="max_length", max_length=max_len,
                    return_tensors="np")
    return tf.data.Dataset.from_tensor_slices((dict(enc), labels)).batch(batch_size)


def make_split(path, batch_size, training):
    ds = encode(*read_reviews(path), batch_size)
    return ds.shuffle(10_000) if training else ds


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--train", default="amazon/train.tsv")
    p.add_argument("--dev", default="amazon/dev.tsv")
    p.add_argument("--batch_size", type=int, default=32)
    args = p.parse_args()

    train = make_split(args.train, args.batch_size, training=True)
    dev = make_split(args.dev, args.batch_size, training=False)

    model = TFAutoModelForSequenceClassification.from_pretrained(
        "distilbert-base-uncased", num_labels=2)
    model.compile(
        optimizer=tf.keras.optimizers.Adam(2e-5),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"])
    model.fit(train.prefetch(tf.data.AUTOTUNE), validation_data=dev, epochs=3)


if __name__ == "__main__":
    main()
