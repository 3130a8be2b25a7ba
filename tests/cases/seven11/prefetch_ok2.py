"""Movie ratings, pipelines kept in a dict and closed by the caller."""
from functools import reduce

import numpy as np
import tensorflow as tf

STAGES = {
    "train": [
        lambda ds: ds.shuffle(1_000_000, seed=3),
        lambda ds: ds.batch(8192, drop_remainder=True),
    ],
    "valid": [lambda ds: ds.batch(8192)],
}


def compose(source, stages):
    return reduce(lambda ds, stage: stage(ds), stages, source)


def pipelines(path):
    data = np.load(path)
    out = {}
    for split, stages in STAGES.items():
        source = tf.data.Dataset.from_tensor_slices(
            ((data[f"{split}_user"], data[f"{split}_movie"]), data[f"{split}_rating"])
        )
        out[split] = compose(source, stages)
    return {k: v.prefetch(tf.data.AUTOTUNE) for k, v in out.items()}


def build(n_users, n_movies, dim=64):
    u = tf.keras.Input((), dtype=tf.int32)
    m = tf.keras.Input((), dtype=tf.int32)
    ue = tf.keras.layers.Embedding(n_users, dim)(u)
    me = tf.keras.layers.Embedding(n_movies, dim)(m)
    out = tf.keras.layers.Dot(axes=-1)([ue, me])
    return tf.keras.Model([u, m], out)


def main():
    data = pipelines("/data/ml-25m/splits.npz")
    model = build(162_542, 59_048)
    model.compile(tf.keras.optimizers.Adam(2e-3), "mse")
    model.fit(data["train"], validation_data=data["valid"], epochs=5)


if __name__ == "__main__":
    main()
