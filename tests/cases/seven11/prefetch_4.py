"""Text classification: pipeline assembled from a list of stages."""
from functools import partial, reduce

import tensorflow as tf

VOCAB, SEQ = 30_000, 256
vectorizer = tf.keras.layers.experimental.preprocessing.TextVectorization(
    max_tokens=VOCAB, output_sequence_length=SEQ
)


def shuffled(ds, n):
    return ds.shuffle(n, reshuffle_each_iteration=True)


def batched(ds, size):
    return ds.batch(size)


def vectorized(ds):
    return ds.map(lambda t, y: (vectorizer(t), y), num_parallel_calls=tf.data.AUTOTUNE)


def cached(ds):
    return ds.cache()


def compose(source, stages):
    return reduce(lambda ds, stage: stage(ds), stages, source)


TRAIN_STAGES = [partial(shuffled, n=50_000), partial(batched, size=128), vectorized]
TEST_STAGES = [partial(batched, size=256), vectorized, cached, lambda ds: ds.prefetch(1)]


def read(split):
    import pandas as pd

    frame = pd.read_parquet(f"/data/reviews/{split}.parquet")
    return tf.data.Dataset.from_tensor_slices(
        (frame["text"].to_numpy(), frame["stars"].to_numpy("int32") - 1)
    )


def get_model():
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(VOCAB, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(5, activation="softmax"),
    ])


def run():
    raw = read("train")
    vectorizer.adapt(raw.map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE).batch(1024).prefetch(2))
    train_ds = compose(raw, TRAIN_STAGES)
    test_ds = compose(read("test"), TEST_STAGES)
    model = get_model()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_ds, validation_data=test_ds, epochs=6)


run()
