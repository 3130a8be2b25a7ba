"""Fraud scoring on the monthly transaction dumps."""
import glob

import pandas as pd
import tensorflow as tf

NUMERIC = ["amount", "balance_before", "balance_after", "hour"]
CATEGORIES = {"type": 16, "country": 300, "merchant": 50_000}
LABEL = "is_fraud"


def rows():
    for csv in sorted(glob.glob("/mnt/transactions/*.csv")):
        for chunk in pd.read_csv(csv, chunksize=100_000):
            for record in chunk.to_dict("records"):
                features = {k: record[k] for k in NUMERIC}
                features.update({k: str(record[k]) for k in CATEGORIES})
                yield features, record[LABEL]


types = {**dict.fromkeys(NUMERIC, tf.float32), **dict.fromkeys(CATEGORIES, tf.string)}
shapes = {k: tf.TensorShape([]) for k in types}

from_rows = tf.data.Dataset.from_generator
train = (
    from_rows(rows, output_types=(types, tf.int32), output_shapes=(shapes, tf.TensorShape([])))
    .shuffle(200_000)
    .batch(2048)
    .prefetch(4)
)

inputs = {k: tf.keras.Input((1,), name=k, dtype=types[k]) for k in types}
columns = [inputs[k] for k in NUMERIC]
for name, bins in CATEGORIES.items():
    ids = tf.keras.layers.Hashing(bins)(inputs[name])
    columns.append(tf.keras.layers.Flatten()(tf.keras.layers.Embedding(bins, 8)(ids)))
hidden = tf.keras.layers.Concatenate()(columns)
hidden = tf.keras.layers.BatchNormalization()(hidden)
hidden = tf.keras.layers.Dense(128, activation="relu")(hidden)
score = tf.keras.layers.Dense(1, activation="sigmoid")(hidden)

model = tf.keras.Model(inputs, score)
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(train, epochs=5)
