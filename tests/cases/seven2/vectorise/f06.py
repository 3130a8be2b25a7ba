import re
import string

import keras
import tensorflow as tf
from keras import layers

raw_train = keras.utils.text_dataset_from_directory("reviews/train", batch_size=None, seed=3)


def clean(text):
    text = tf.strings.regex_replace(tf.strings.lower(text), "<br />", " ")
    return tf.strings.regex_replace(text, f"[{re.escape(string.punctuation)}]", "")


vectorizer = layers.TextVectorization(
    standardize=clean,
    max_tokens=20_000,
    output_sequence_length=400,
)
vectorizer.adapt(raw_train.batch(1024).map(lambda text, label: text, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE))


def encode(text, label):
    return vectorizer(text), label


train = raw_train.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
train = train.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([
    layers.Embedding(20_000, 64),
    layers.Conv1D(128, 7, activation="relu"),
    layers.GlobalMaxPooling1D(),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=8)
