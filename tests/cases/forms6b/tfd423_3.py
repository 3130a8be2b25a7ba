import functools
import json

import tensorflow as tf
from transformers import AutoTokenizer

CFG = {
    "model": "bert-base-uncased",
    "train": "/data/nli/train.jsonl",
    "max_length": 128,
    "batch_size": 32,
    "label_ids": {"entailment": 0, "neutral": 1, "contradiction": 2},
}


def make_example(row, tokenizer):
    encoded = tokenizer(
        row["premise"],
        row["hypothesis"],
        truncation=True, padding="max_length",
        max_length=CFG["max_length"],
    )
    return {
        "input_ids": encoded["input_ids"],
        "mask": encoded["attention_mask"],
        "label": CFG["label_ids"][row["gold_label"]],
    }


def examples(path, tokenizer):
    with open(path) as handle:
        for line in handle:
            row = json.loads(line)
            if row["gold_label"] in CFG["label_ids"]:
                yield make_example(row, tokenizer)


def to_xy(row):
    label = row.pop("label")
    return row, label


def make_dataset():
    tokenizer = AutoTokenizer.from_pretrained(CFG["model"])
    row_spec = tf.TensorSpec(shape=(CFG["max_length"],), dtype=tf.int32)
    ds = tf.data.Dataset.from_generator(
        functools.partial(examples, CFG["train"], tokenizer),
        output_signature={
            "input_ids": row_spec,
            "attention_mask": row_spec,
            "label": tf.TensorSpec(shape=(), dtype=tf.int32),
        },
    )
    ds = ds.cache().shuffle(50_000).batch(CFG["batch_size"])
    ds = ds.map(to_xy, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model(vocab=30_522):
    ids = tf.keras.Input((CFG["max_length"],), dtype="int32", name="input_ids")
    mask = tf.keras.Input((CFG["max_length"],), dtype="int32", name="attention_mask")
    x = tf.keras.layers.Embedding(vocab, 128)(ids)
    x = tf.keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    return tf.keras.Model([ids, mask], tf.keras.layers.Dense(3, activation="softmax")(x))


if __name__ == "__main__":
    model = build_model()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make_dataset(), epochs=3)
