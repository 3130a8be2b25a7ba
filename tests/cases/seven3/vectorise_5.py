import functools

import tensorflow as tf

PATTERNS = [(r"https?://\S+", "<url>"), (r"@\w+", "<user>"), (r"\d+", "<num>"), (r"\s+", " ")]


def scrub(patterns, line):
    line = tf.strings.lower(line)
    for pattern, token in patterns:
        line = tf.strings.regex_replace(line, pattern, token)
    return line


def tokens_and_next(ids):
    return ids[:, :-1], ids[:, 1:]


def corpus(pattern, vectorizer, batch_size):
    lines = tf.data.Dataset.list_files(pattern).interleave(
        lambda name: tf.data.TextLineDataset(name, compression_type="GZIP"),
        cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    steps = [
        lambda d: d.shuffle(100_000),
        lambda d: d.map(functools.partial(scrub, PATTERNS), num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.batch(batch_size, drop_remainder=True),
        lambda d: d.map(vectorizer, num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.map(tokens_and_next, num_parallel_calls=tf.data.AUTOTUNE),
        lambda d: d.prefetch(tf.data.AUTOTUNE),
    ]
    for step in steps:
        lines = step(lines)
    return lines


vectorizer = tf.keras.layers.TextVectorization(
    standardize=None, output_sequence_length=65, vocabulary="/data/tweets/vocab.txt")
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(vectorizer.vocabulary_size(), 256),
        tf.keras.layers.LSTM(512, return_sequences=True),
        tf.keras.layers.Dense(vectorizer.vocabulary_size()),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(corpus("/data/tweets/*.txt.gz", vectorizer, 128 * strategy.num_replicas_in_sync), epochs=4)
