import functools

import tensorflow as tf

LANGUAGES = ("nl", "sv", "da")


def read(language):
    ds = tf.data.TextLineDataset(f"corpus/{language}.txt")
    ds = ds.shuffle(20_000).repeat()
    index = LANGUAGES.index(language)
    return ds.map(lambda line: (line, index), num_parallel_calls=tf.data.AUTOTUNE)


def join(first, second):
    return first.concatenate(second)


combined = functools.reduce(join, [read(language) for language in LANGUAGES])
combined = combined.batch(128).prefetch(tf.data.AUTOTUNE)

vectorize = tf.keras.layers.TextVectorization(
    max_tokens=4000, output_mode="multi_hot", split="character", ngrams=2
)
vectorize.adapt(combined.take(200).map(lambda line, _: line, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([vectorize, tf.keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(combined, epochs=5, steps_per_epoch=400)
