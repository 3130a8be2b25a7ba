"""DeepFM on Criteo Kaggle (45M rows), rows streamed from the raw TSV."""
import csv
import functools
import math

import tensorflow as tf

NUM, CAT, BUCKETS = 13, 26, 200_000


def criteo_rows(path, start, stop):
    """Yields (dense, sparse, label) from the tab separated dump."""
    with open(path, newline="") as f:
        for i, row in enumerate(csv.reader(f, delimiter="\t")):
            if i < start:
                continue
            if i >= stop:
                return
            dense = [math.log1p(max(float(v), 0.0)) if v else 0.0 for v in row[1:1 + NUM]]
            sparse = [hash((j, v)) % BUCKETS for j, v in enumerate(row[1 + NUM:])]
            yield dense, sparse, float(row[0])


def build_dataset(gen, batch_size, shuffle=0):
    signature = (
        tf.TensorSpec([NUM], tf.float32),
        tf.TensorSpec([CAT], tf.int32),
        tf.TensorSpec([], tf.float32),
    )
    ds = tf.data.Dataset.from_generator(gen, output_signature=signature)
    if shuffle:
        ds = ds.shuffle(shuffle)
    ds = ds.batch(batch_size)
    ds = ds.map(lambda d, s, y: ((d, s), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class DeepFM(tf.keras.Model):
    def __init__(self, dim=16, hidden=(400, 400, 400)):
        super().__init__()
        self.first = tf.keras.layers.Embedding(BUCKETS, 1)
        self.second = tf.keras.layers.Embedding(BUCKETS, dim)
        self.mlp = tf.keras.Sequential(
            [tf.keras.layers.Dense(h, activation="relu") for h in hidden]
            + [tf.keras.layers.Dense(1)])
        self.linear = tf.keras.layers.Dense(1)

    def call(self, inputs):
        dense, sparse = inputs
        v = self.second(sparse)
        fm = 0.5 * tf.reduce_sum(tf.square(tf.reduce_sum(v, 1)) - tf.reduce_sum(tf.square(v), 1),
                                 axis=-1, keepdims=True)
        flat = tf.concat([dense, tf.reshape(v, [-1, CAT * v.shape[-1]])], -1)
        first = tf.reduce_sum(self.first(sparse), axis=1)
        return tf.nn.sigmoid(first + self.linear(dense) + fm + self.mlp(flat))


def main(path="/data/criteo/train.txt", total=45_840_617, batch_size=4096):
    cut = int(total * 0.9)
    train_gen = functools.partial(criteo_rows, path, 0, cut)
    valid_gen = functools.partial(criteo_rows, path, cut, total)
    train = build_dataset(train_gen, batch_size, shuffle=1_000_000)
    valid = build_dataset(valid_gen, batch_size)
    model = DeepFM()
    model.compile(tf.keras.optimizers.Adam(1e-3), "binary_crossentropy",
                  metrics=[tf.keras.metrics.AUC(name="auc")])
    model.fit(train, validation_data=valid, epochs=3)


if __name__ == "__main__":
    main()
