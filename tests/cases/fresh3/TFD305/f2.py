from functools import partial

import tensorflow as tf

PATTERN = r"[^a-z0-9 ]+"


def clean(text, label, pattern):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, "<br />", " ")
    return tf.strings.regex_replace(text, pattern, ""), label


def corpus(split, batch):
    ds = tf.keras.utils.text_dataset_from_directory(f"aclImdb/{split}", batch_size=None, seed=1)
    ds = ds.map(partial(clean, pattern=PATTERN), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


train, test = corpus("train", 64), corpus("test", 64)
vectorize = tf.keras.layers.TextVectorization(20000, standardize=None, output_sequence_length=300)
vectorize.adapt(train.map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([
    tf.keras.Input((), dtype=tf.string),
    vectorize,
    tf.keras.layers.Embedding(20000, 32),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(train, validation_data=test, epochs=5)
