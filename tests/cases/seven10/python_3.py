"""JSON-lines dialogues; the source kind is chosen in the settings."""
import gzip
import json

import numpy as np
import tensorflow as tf

CONFIG = {"source": {"kind": "jsonl", "pattern": "/data/dialogue/*.jsonl.gz"},
          "length": 256, "batch": 128}


def make_source(config):
    length = config["length"]

    def rows(path):
        with gzip.open(path.decode(), "rt") as lines:
            for line in lines:
                turn = json.loads(line)
                ids = np.zeros(length, np.int32)
                tokens = turn["ids"][:length]
                ids[: len(tokens)] = tokens
                yield ids, np.int32(turn["intent"])

    def sub_dataset(path):
        return tf.data.Dataset.from_generator(
            rows,
            args=(path,),
            output_signature=(tf.TensorSpec([length], tf.int32), tf.TensorSpec([], tf.int32)),
        )

    match config["source"]:
        case {"kind": "jsonl", "pattern": pattern}:
            files = tf.data.Dataset.list_files(pattern, shuffle=True)
            return files.interleave(sub_dataset, cycle_length=8,
                                    num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        case {"kind": "arrays", "file": file}:
            store = np.load(file)
            return tf.data.Dataset.from_tensor_slices((store["ids"], store["intent"]))
        case other:
            raise ValueError(f"unknown source {other}")


def main():
    ds = make_source(CONFIG).shuffle(50_000)
    ds = ds.batch(CONFIG["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(30_000, 128),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(77, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=5)


if __name__ == "__main__":
    main()
