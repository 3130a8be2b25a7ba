import tensorflow as tf

SPEC = {
    "x": tf.io.FixedLenFeature([512], tf.float32),
    "y": tf.io.FixedLenFeature([], tf.int64),
}


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    return ex["x"], ex["y"]


def build(pattern, batch_size):
    return (
        tf.data.Dataset.list_files(pattern)
        .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(1024)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .unbatch()
        .shuffle(100_000)
        .batch(batch_size)
        .prefetch(2)
    )


model = tf.keras.Sequential([
    tf.keras.layers.Input((512,)),
    tf.keras.layers.Dense(1024, activation="relu"),
    tf.keras.layers.Dense(20, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(build("/data/embeddings/shard-*.tfrecord", 512), epochs=20)
