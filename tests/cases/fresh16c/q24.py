"""Click-through-rate model on the display logs."""
import tensorflow as tf

SHARDS = 128
BATCH = 4096
SLOTS = [f"C{i}" for i in range(1, 27)]
INTS = [f"I{i}" for i in range(1, 14)]


class LogReader:
    def __init__(self, root, day):
        self.root, self.day = root, day
        self.spec = {name: tf.io.FixedLenFeature([], tf.int64) for name in SLOTS}
        self.spec.update({name: tf.io.FixedLenFeature([], tf.float32, 0.0) for name in INTS})
        self.spec["click"] = tf.io.FixedLenFeature([], tf.float32)

    def filenames(self):
        return [f"{self.root}/day_{self.day}/logs-{i:05d}-of-{SHARDS:05d}.gz" for i in range(SHARDS)]

    def parse(self, batch):
        row = tf.io.parse_example(batch, self.spec)
        click = row.pop("click")
        dense = tf.stack([tf.math.log1p(tf.nn.relu(row[n])) for n in INTS], axis=1)
        sparse = tf.stack([row[n] % 100_000 for n in SLOTS], axis=1)
        return (dense, sparse), click

    def __call__(self):
        ds = tf.data.TFRecordDataset(self.filenames(), compression_type="GZIP")
        ds = ds.shuffle(500_000).batch(BATCH, drop_remainder=True)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def dlrm():
    dense = tf.keras.Input((13,))
    sparse = tf.keras.Input((26,), dtype="int64")
    bottom = tf.keras.layers.Dense(16, activation="relu")(dense)
    emb = tf.keras.layers.Embedding(100_000, 16)(sparse)
    top = tf.keras.layers.Concatenate()([bottom, tf.keras.layers.Flatten()(emb)])
    top = tf.keras.layers.Dense(256, activation="relu")(top)
    return tf.keras.Model([dense, sparse], tf.keras.layers.Dense(1, activation="sigmoid")(top))


model = dlrm()
model.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
for day in range(7):
    model.fit(LogReader("gs://ads-logs", day)(), epochs=1)
model.save("ctr.keras")
