import tensorflow as tf

PATTERN = "/data/ads/train-*.tfrecord"
DENSE, SPARSE, BUCKETS = 13, 26, 100_000
SPEC = {
    "label": tf.io.FixedLenFeature([], tf.float32),
    "dense": tf.io.FixedLenFeature([DENSE], tf.float32),
    "sparse": tf.io.FixedLenFeature([SPARSE], tf.int64),
}


def parse(rows):
    ex = tf.io.parse_example(rows, SPEC)
    return {"dense": ex["dense"], "sparse": ex["sparse"] % BUCKETS}, ex["label"]


def ads(batch):
    files = tf.data.Dataset.list_files(PATTERN, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.shuffle(500_000)
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def dlrm():
    dense = tf.keras.Input((DENSE,), name="dense")
    sparse = tf.keras.Input((SPARSE,), dtype=tf.int64, name="sparse")
    bottom = tf.keras.layers.Dense(32, "relu")(tf.keras.layers.Dense(128, "relu")(dense))
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(BUCKETS, 16)(sparse))
    x = tf.keras.layers.Concatenate()([bottom, emb])
    x = tf.keras.layers.Dense(256, "relu")(x)
    return tf.keras.Model({"dense": dense, "sparse": sparse}, tf.keras.layers.Dense(1, "sigmoid")(x))


if __name__ == "__main__":
    model = dlrm()
    model.compile("adagrad", "binary_crossentropy", [tf.keras.metrics.AUC()])
    model.fit(ads(8192), epochs=2)
