import tensorflow as tf

SEQ_LEN = 256
BATCH = 128


def token_file(path):
    return tf.data.FixedLengthRecordDataset(path, 4 * (SEQ_LEN + 1))


def load_sequences(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(token_file, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.batch(512, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.decode_raw(r, tf.int32), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.unbatch()


def split_input_target(sequence):
    return sequence[:-1], sequence[1:]


sequences = load_sequences("/corpus/tokens-*.bin").shuffle(10_000)
pairs = sequences.map(split_input_target, num_parallel_calls=tf.data.AUTOTUNE)
dataset = pairs.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(32_000, 512),
    tf.keras.layers.GRU(1024, return_sequences=True),
    tf.keras.layers.Dense(32_000),
])
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
model.fit(dataset, epochs=4)
