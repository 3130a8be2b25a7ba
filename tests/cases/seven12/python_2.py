import json
from functools import partial

import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

MAX_LEN = 256


def jsonl_examples(path, tokenizer):
    with open(path) as handle:
        for line in handle:
            row = json.loads(line)
            ids = tokenizer.encode(row["text"], truncation=True, max_length=MAX_LEN)
            yield {"input_ids": ids, "label": row["stars"] - 1}


def make_split(split, tokenizer):
    factory = Dataset.from_generator
    ds = factory(
        partial(jsonl_examples, f"/data/yelp/{split}.jsonl", tokenizer),
        output_signature={
            "input_ids": tf.TensorSpec([None], tf.int32),
            "label": tf.TensorSpec([], tf.int32),
        },
    )
    if split == "train":
        ds = ds.shuffle(20000)
    ds = ds.padded_batch(64, {"input_ids": [MAX_LEN], "label": []})
    ds = ds.map(lambda b: (b["input_ids"], b["label"]), num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def main():
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
    train, test = (make_split(s, tokenizer) for s in ("train", "test"))
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30522, 128, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
        tf.keras.layers.Dense(5, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=4)


if __name__ == "__main__":
    main()
