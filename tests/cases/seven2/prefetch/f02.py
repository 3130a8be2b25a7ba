import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SOURCES = {"wiki": 0.5, "books": 0.3, "code": 0.2}
SEQ = 512


def parse(rec):
    toks = tf.io.parse_single_example(rec, {"t": tf.io.FixedLenFeature([SEQ + 1], tf.int64)})["t"]
    return toks[:-1], toks[1:]


def source(name):
    files = tf.data.Dataset.list_files(f"gs://lm-data/{name}/*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    return ds.map(parse, num_parallel_calls=AUTO).shuffle(10_000).repeat().prefetch(AUTO)


mixture = tf.data.Dataset.sample_from_datasets(
    [source(n) for n in SOURCES], weights=list(SOURCES.values()), stop_on_empty_dataset=True)
train_ds = mixture.batch(16, drop_remainder=True)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(32_000, 512),
    tf.keras.layers.LSTM(512, return_sequences=True),
    tf.keras.layers.Dense(32_000),
])
model.compile("adamw", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train_ds, steps_per_epoch=20_000, epochs=10)
