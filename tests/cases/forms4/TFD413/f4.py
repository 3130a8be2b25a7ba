import tensorflow as tf

SHARDS = [f"speech/train-{i:02d}-of-12.tfrecord" for i in range(12)]
SPEC = {
    "mel": tf.io.FixedLenFeature([80 * 100], tf.float32),
    "speaker": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, SPEC)
    return tf.reshape(example["mel"], [100, 80]), example["speaker"]


ds = tf.data.Dataset.from_tensor_slices(SHARDS)
ds = ds.shuffle(len(SHARDS))
ds = ds.interleave(
    lambda path: tf.data.TFRecordDataset(path).shuffle(500).repeat(),
    cycle_length=2,
    block_length=8,
    num_parallel_calls=tf.data.AUTOTUNE,
)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((100, 80)),
    tf.keras.layers.GRU(64),
    tf.keras.layers.Dense(40, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=30, steps_per_epoch=1000)
