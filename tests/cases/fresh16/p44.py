import json
import pathlib

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

RUN = pathlib.Path("runs/imdb")


class Telemetry(tf.keras.callbacks.Callback):
    """JSON lines for the dashboard that the infra group built."""

    fields = ("loss", "accuracy")

    def __init__(self, path):
        super().__init__()
        self.path = path

    def describe(self):
        norms = {}
        for variable in self.model.trainable_variables:
            norms[variable.name] = float(np.linalg.norm(variable.numpy()))
        return norms

    def on_train_begin(self, logs=None):
        self.fh = self.path.open("w")

    def on_train_batch_end(self, batch, logs=None):
        record = {"batch": batch, "norms": self.describe()}
        record.update({k: float(logs[k]) for k in self.fields})
        self.fh.write(json.dumps(record) + "\n")
        self.fh.flush()

    def on_train_end(self, logs=None):
        self.fh.close()


def reviews(split, vectorize, training):
    ds = tfds.load("imdb_reviews", split=split, as_supervised=True, shuffle_files=training)
    if training:
        ds = ds.shuffle(25_000)
    ds = ds.batch(64, drop_remainder=training)
    ds = ds.map(lambda t, y: (vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    RUN.mkdir(parents=True, exist_ok=True)
    vectorize = tf.keras.layers.TextVectorization(20_000, output_sequence_length=400)
    raw = tfds.load("imdb_reviews", split="train", as_supervised=True)
    vectorize.adapt(raw.batch(512).map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE))

    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(20_000, 128),
        tf.keras.layers.Conv1D(128, 7, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(reviews("train", vectorize, True),
              validation_data=reviews("test", vectorize, False),
              epochs=4, callbacks=[Telemetry(RUN / "steps.jsonl")])


if __name__ == "__main__":
    main()
