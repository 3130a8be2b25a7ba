import tensorflow as tf

CONFIG = {
    "files": "/mnt/lm/c4-*.tfrecord",
    "cycle_length": 4,
    "readers": None,
    "seq_len": 1024,
    "batch_size": 8,
}


def split(example):
    t = tf.io.parse_single_example(
        example, {"tokens": tf.io.FixedLenFeature([CONFIG["seq_len"] + 1], tf.int64)})["tokens"]
    return t[:-1], t[1:]


ds = tf.data.Dataset.list_files(CONFIG["files"])
ds = ds.interleave(
    tf.data.TFRecordDataset,
    cycle_length=CONFIG["cycle_length"],
    num_parallel_calls=CONFIG["readers"],
)
ds = ds.map(split, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(4096).repeat().batch(CONFIG["batch_size"], drop_remainder=True)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(50257, 512),
    tf.keras.layers.LSTM(512, return_sequences=True),
    tf.keras.layers.Dense(50257),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, steps_per_epoch=10_000, epochs=5)
