import numpy as np
from sklearn.metrics import roc_auc_score
import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE


def safe_auc(y_true, y_prob):
    if len(np.unique(y_true)) < 2:
        return np.float32(0.5)
    return np.float32(roc_auc_score(y_true, y_prob))


def auc(y_true, y_prob):
    return tf.numpy_function(safe_auc, [y_true, y_prob], tf.float32)


def clean(text, label):
    text = tf.strings.lower(text)
    text = tf.strings.regex_replace(text, r"https?://\S+", " ")
    text = tf.strings.regex_replace(text, r"[^a-z0-9' ]+", " ")
    return tf.strings.strip(text), label


def main(vocab_file="/data/yelp_vocab.txt"):
    raw = tfds.load("yelp_polarity_reviews", as_supervised=True, shuffle_files=True)
    splits = {}
    for name, ds in raw.items():
        if name == "train":
            ds = ds.shuffle(50_000)
        ds = ds.batch(256).map(clean, num_parallel_calls=AUTOTUNE)
        splits[name] = ds.prefetch(AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.TextVectorization(
            max_tokens=20_000, output_sequence_length=256, vocabulary=vocab_file),
        tf.keras.layers.Embedding(20_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(splits["train"], epochs=3)

    scores = [
        auc(label, model(text, training=False)[:, 0]) for text, label in splits["test"]
    ]
    print("mean batch AUC", float(tf.reduce_mean(scores)))


if __name__ == "__main__":
    main()
