import tensorflow as tf

NUM_DENSE = 13
NUM_CAT = 26

FEATURES = {
    "dense": tf.io.FixedLenFeature([NUM_DENSE], tf.float32),
    "categorical": tf.io.FixedLenFeature([NUM_CAT], tf.int64),
    "clicked": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, FEATURES)
    label = ex.pop("clicked")
    return ex, tf.cast(label, tf.float32)


def load(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    return (
        records.shuffle(200_000)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )


def build_model():
    dense = tf.keras.Input((NUM_DENSE,), name="dense")
    cat = tf.keras.Input((NUM_CAT,), dtype="int64", name="categorical")
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(1_000_000, 16)(cat))
    x = tf.keras.layers.Concatenate()([dense, emb])
    x = tf.keras.layers.Dense(256, activation="relu")(x)
    out = tf.keras.layers.Dense(1, activation="sigmoid")(x)
    return tf.keras.Model({"dense": dense, "categorical": cat}, out)


if __name__ == "__main__":
    model = build_model()
    model.compile("adagrad", "binary_crossentropy", metrics=["AUC"])
    model.fit(load("gs://ads-logs/train-*.tfrecord", 8192), epochs=3)
