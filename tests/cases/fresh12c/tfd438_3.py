"""Graph embeddings: random walks are written to scratch shards, used for training, and removed."""
import contextlib
import shutil
import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

COMPRESSION = "ZLIB"
WALK = 40


@contextlib.contextmanager
def walk_shards(adjacency, n_walks, per_shard=50_000):
    folder = Path(tempfile.mkdtemp(prefix="walks"))
    rng = np.random.default_rng(0)
    try:
        for s in range(0, n_walks, per_shard):
            with tf.io.TFRecordWriter(str(folder / f"{s:09d}.rec"), options=COMPRESSION) as out:
                for _ in range(min(per_shard, n_walks - s)):
                    node, walk = rng.integers(len(adjacency)), []
                    for _ in range(WALK):
                        walk.append(node)
                        node = rng.choice(adjacency[node])
                    out.write(np.asarray(walk, np.int32).tobytes())
        yield sorted(str(p) for p in folder.glob("*.rec"))
    finally:
        shutil.rmtree(folder)


def pairs(rows):
    walks = tf.reshape(tf.io.decode_raw(rows, tf.int32), [-1, WALK])
    return tf.reshape(walks[:, :-1], [-1]), tf.reshape(walks[:, 1:], [-1])


def dataset(files):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type=COMPRESSION),
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(30_000).batch(128, drop_remainder=True)
    return ds.map(pairs, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    adjacency = np.load("/data/cora_full/neighbours.npy", allow_pickle=True)
    model = tf.keras.Sequential([
        tf.keras.Input((), dtype="int32"),
        tf.keras.layers.Embedding(len(adjacency), 128),
        tf.keras.layers.Dense(len(adjacency)),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    with walk_shards(adjacency, 500_000) as files:
        model.fit(dataset(files), epochs=4)
    model.save("node_embeddings.keras")


if __name__ == "__main__":
    main()
