"""Movie ratings regression: users and items from sharded click logs."""
import tensorflow as tf

FEATURES = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "hist": tf.io.VarLenFeature(tf.int64),
    "rating": tf.io.FixedLenFeature([], tf.float32),
}


def runtime_options(threads):
    o = tf.data.Options()
    o.experimental_deterministic = False
    o.threading.private_threadpool_size = threads
    return o


def parse(batch):
    ex = tf.io.parse_example(batch, FEATURES)
    ex["hist"] = tf.sparse.to_dense(ex["hist"])
    return ex, ex.pop("rating")


def ratings(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, block_length=64,
                          num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(200_000)
    ds = (ds.batch(batch_size)
          .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
          .prefetch(tf.data.AUTOTUNE))
    return ds.with_options(runtime_options(32))


class TwoTower(tf.keras.Model):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.u = tf.keras.layers.Embedding(users, dim)
        self.i = tf.keras.layers.Embedding(items, dim)
        self.mlp = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(1)])

    def call(self, x):
        hist = tf.reduce_mean(self.i(x["hist"]), 1)
        return self.mlp(tf.concat([self.u(x["user"]), self.i(x["item"]), hist], -1))


model = TwoTower(2_000_000, 300_000)
model.compile("adagrad", "mse")
model.fit(ratings("/logs/train/part-*", 8192, True),
          validation_data=ratings("/logs/eval/part-*", 8192, False), epochs=3)
