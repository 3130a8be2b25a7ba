"""Support ticket routing."""
import re

import tensorflow as tf

QUEUES = ["billing", "network", "hardware", "account", "other"]
PRODUCTS = ["AX-200", "AX-300+", "Home.Box", "Fibre (pro)"]
PRODUCT_RE = "|".join(re.escape(p.lower()) for p in PRODUCTS)

queue_ids = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(QUEUES, list(range(len(QUEUES)))),
    default_value=len(QUEUES) - 1,
)


def clean(text):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, PRODUCT_RE, " product ")
    text = tf.strings.regex_replace(text, r"\d{4,}", " number ")
    text = tf.strings.regex_replace(text, r"[^a-z' ]+", " ")
    return tf.strings.strip(tf.strings.regex_replace(text, r"\s+", " "))


def parse(lines):
    queue, body = tf.io.decode_csv(lines, [["other"], [""]], select_cols=[1, 4])
    return clean(body), queue_ids.lookup(queue)


def tickets(pattern, training, batch_size=256):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=6,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    if training:
        ds = ds.shuffle(100_000)
    ds = ds.batch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


train = tickets("/tickets/train/*.csv", True)
valid = tickets("/tickets/valid/*.csv", False)

vectorize = tf.keras.layers.TextVectorization(max_tokens=15_000, output_sequence_length=200, standardize=None)
vectorize.adapt(train.map(lambda text, _: text, num_parallel_calls=tf.data.AUTOTUNE))

model = tf.keras.Sequential([
    tf.keras.Input((), dtype="string"),
    vectorize,
    tf.keras.layers.Embedding(15_000, 64),
    tf.keras.layers.Conv1D(128, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(len(QUEUES), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=valid, epochs=5)
model.save("routing.keras")
