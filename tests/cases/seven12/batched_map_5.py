from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_integer("vocab", 20_000, "Vocabulary size.")
flags.DEFINE_integer("length", 256, "Tokens per review.")
flags.DEFINE_integer("batch_size", 256, "Reviews per step.")


def adapt_vectorizer(raw):
    layer = tf.keras.layers.TextVectorization(
        max_tokens=FLAGS.vocab, output_sequence_length=FLAGS.length)
    layer.adapt(raw.batch(1024).map(lambda text, _: text, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE))
    return layer


def tokenized(splits, vectorizer):
    out = {}
    for name, ds in splits.items():
        if name == "train":
            ds = ds.shuffle(25_000)
        out[name] = (
            ds.map(lambda text, label: (vectorizer(text), label), num_parallel_calls=AUTOTUNE)
            .batch(FLAGS.batch_size)
            .prefetch(AUTOTUNE)
        )
    return out


def classifier():
    tokens = tf.keras.Input((FLAGS.length,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(FLAGS.vocab, 128)(tokens)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64))(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(1, activation="sigmoid")(x))


def main(_):
    names = ["train", "test"]
    loaded = tfds.load("imdb_reviews", split=names, as_supervised=True)
    splits = dict(zip(names, loaded))
    vectorizer = adapt_vectorizer(splits["train"])
    data = tokenized(splits, vectorizer)
    model = classifier()
    model.compile("adam", "binary_crossentropy", ["accuracy"])
    model.fit(data["train"], validation_data=data["test"], epochs=5)


if __name__ == "__main__":
    app.run(main)
