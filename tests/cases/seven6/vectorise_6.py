import tensorflow as tf
from tensorflow.keras import layers

VOCAB, LENGTH, BATCH = 30_000, 200, 512
SPEC = [tf.constant([0], tf.int32), tf.constant([""], tf.string)]


def reviews(pattern):
    """Stars and text of 3.6 million Amazon reviews."""
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(
        lambda p: tf.data.experimental.CsvDataset(p, SPEC),
        cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


vectorize = layers.TextVectorization(max_tokens=VOCAB, output_sequence_length=LENGTH)
vectorize.adapt(reviews("/data/amazon/train-*.csv").map(
    lambda stars, text: text, num_parallel_calls=tf.data.AUTOTUNE).take(200_000).batch(1024))


def dataset(pattern, training):
    ds = reviews(pattern)
    if training:
        ds = ds.shuffle(100_000)
    ds = ds.map(lambda stars, text: (vectorize(text), stars > 3),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(BATCH)
    return ds.prefetch(tf.data.AUTOTUNE)


class Attention(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.score = tf.keras.Sequential([layers.Dense(units, activation="tanh"), layers.Dense(1)])

    def call(self, h):
        w = tf.nn.softmax(self.score(h), axis=1)
        return tf.reduce_sum(w * h, axis=1)


model = tf.keras.Sequential([
    layers.Embedding(VOCAB, 128, mask_zero=False),
    layers.Bidirectional(layers.GRU(64, return_sequences=True)),
    Attention(64),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(
    dataset("/data/amazon/train-*.csv", True),
    validation_data=dataset("/data/amazon/test-*.csv", False),
    epochs=4,
    callbacks=[tf.keras.callbacks.ModelCheckpoint("sentiment.keras", save_best_only=True)],
)
