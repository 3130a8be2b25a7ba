import tensorflow as tf


def tokenize(line):
    ids = tf.strings.to_hash_bucket_fast(tf.strings.split(line), 20_000)
    return ids[1:], tf.strings.to_number(tf.strings.split(line)[0])


files = tf.data.Dataset.list_files("/data/reviews/*.txt")
ds = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(20_000).map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.apply(tf.data.experimental.assert_cardinality(25_000))
ds = ds.bucket_by_sequence_length(lambda ids, y: tf.size(ids), [16, 32, 64], [256, 128, 64, 32])
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(20_000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=4)
