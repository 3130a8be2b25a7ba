import tensorflow as tf


def tokenize(line):
    ids = tf.strings.to_hash_bucket_fast(tf.strings.split(line), 20_000)
    return ids[1:], tf.strings.to_number(tf.strings.split(line)[0], tf.float32)


def batches(pattern, training, size=32):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(size)
    if training:
        ds = ds.shuffle(buffer_size=1000)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(
    batches("/data/reviews/train-*.txt", True),
    validation_data=batches("/data/reviews/val-*.txt", False),
    epochs=4,
)
