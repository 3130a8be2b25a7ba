import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SPEC = {"ids": tf.io.FixedLenFeature([128], tf.int64), "label": tf.io.FixedLenFeature([], tf.int64)}


def source(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO, deterministic=False)
    ds = ds.shuffle(10000)
    return ds.repeat()


mixed = tf.data.Dataset.sample_from_datasets(
    [source(p) for p in ("web-*.rec", "books-*.rec", "news-*.rec")], weights=[0.6, 0.3, 0.1])
mixed = mixed.batch(64)
mixed = mixed.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=AUTO)
mixed = mixed.map(lambda d: (d["ids"], d["label"]), num_parallel_calls=AUTO)
mixed = mixed.cache()
mixed = mixed.prefetch(AUTO)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(32000, 128),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(2, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(mixed, steps_per_epoch=2000, epochs=20)
