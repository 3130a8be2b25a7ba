import tensorflow as tf


def tokenize(text):
    words = text.numpy().decode("utf-8").lower().split()
    return [hash(word) % 5000 for word in words[:40]] + [0] * max(0, 40 - len(words))


def features(line):
    parts = tf.strings.split(line, "\t")
    ids = tf.py_function(tokenize, [parts[1]], tf.int32)
    return {
        "ids": ids.set_shape([40]),
        "label": tf.strings.to_number(parts[0]),
    }


lines = tf.data.TextLineDataset("tweets.tsv").shuffle(10_000)
examples = lines.map(features, num_parallel_calls=tf.data.AUTOTUNE)
examples = examples.map(
    lambda e: (tf.one_hot(e["ids"], 5000), e["label"]), num_parallel_calls=tf.data.AUTOTUNE
)
examples = examples.batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((40, 5000)),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(examples, epochs=4)
