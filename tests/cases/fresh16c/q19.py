"""Toxic comment tagger."""
import pandas as pd
import tensorflow as tf

MAX_TOKENS = 20_000
LENGTH = 120
TAGS = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]

frame = pd.read_csv("jigsaw/train.csv").sample(n=20_000, random_state=3)
texts = frame["comment_text"].fillna("").to_numpy(str)
tags = frame[TAGS].to_numpy("float32")

vectorizer = tf.keras.layers.TextVectorization(max_tokens=MAX_TOKENS, output_sequence_length=LENGTH)
vectorizer.adapt(texts)

full = tf.data.Dataset.from_tensor_slices((texts, tags))

SIZES = {"train": 18_000, "val": 2_000}


def subset(name):
    ds = full.take(SIZES[name])
    if name == "train":
        ds = ds.shuffle(SIZES[name])
    ds = ds.batch(128)
    ds = ds.map(lambda t, y: (vectorizer(t), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((LENGTH,), dtype="int64"),
    tf.keras.layers.Embedding(MAX_TOKENS, 64),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(len(TAGS), activation="sigmoid"),
])
model.compile(
    optimizer="adam",
    loss="binary_crossentropy",
    metrics=[tf.keras.metrics.AUC(multi_label=True, name="auc")],
)

train, val = subset("train"), subset("val")
model.fit(
    train,
    validation_data=val,
    epochs=6,
    callbacks=[tf.keras.callbacks.EarlyStopping("val_auc", mode="max", patience=2, restore_best_weights=True)],
)
model.save("tagger.keras")
