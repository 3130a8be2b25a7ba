import json

import numpy as np
import tensorflow as tf

CONFIG = json.loads("""
{"root": "/data/ag_news", "vocab": 30000, "seq_len": 64, "batch_size": 256,
 "splits": {"train": {"shuffle": 120000}, "test": {"shuffle": 0}}}
""")


class NewsText:
    def __init__(self, cfg):
        self.cfg = cfg
        self.vectorize = tf.keras.layers.TextVectorization(
            max_tokens=cfg["vocab"], output_sequence_length=cfg["seq_len"]
        )

    def load(self, split):
        z = np.load(f"{self.cfg['root']}/{split}.npz", allow_pickle=True)
        return z["text"].astype(str), z["label"].astype("int32")

    def encode(self, text, label):
        return self.vectorize(text), tf.one_hot(label - 1, 4)

    def datasets(self):
        result = {}
        for split, opts in self.cfg["splits"].items():
            text, label = self.load(split)
            if split == "train":
                self.vectorize.adapt(tf.data.Dataset.from_tensor_slices(text).batch(2048).prefetch(1))
            ds = tf.data.Dataset.from_tensor_slices((text, label))
            if n := opts["shuffle"]:
                ds = ds.shuffle(n)
            encoded = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
            result[split] = encoded.batch(self.cfg["batch_size"]).prefetch(tf.data.AUTOTUNE)
        return result


def main():
    data = NewsText(CONFIG).datasets()
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(CONFIG["vocab"], 96),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(4, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["test"], epochs=8)


if __name__ == "__main__":
    main()
