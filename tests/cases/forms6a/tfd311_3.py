import argparse
import functools

import tensorflow as tf
import tensorflow_datasets as tfds


def pipeline(fn):
    """Adds the stages that all splits have in common."""
    @functools.wraps(fn)
    def wrapper(args, split):
        ds = fn(args, split)
        ds = ds.batch(args.batch_size, drop_remainder=split == "train")
        return ds.prefetch(tf.data.AUTOTUNE)
    return wrapper


def clean(text, label):
    text = tf.strings.regex_replace(tf.strings.lower(text), r"<br\s*/?>", " ")
    return text, label


@pipeline
def reviews(args, split):
    ds = tfds.load("imdb_reviews", split=split, as_supervised=True)
    ds = ds.map(clean, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    return ds.shuffle(args.shuffle_buffer) if split == "train" else ds


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--shuffle-buffer", type=int, default=10)
    p.add_argument("--max-tokens", type=int, default=20_000)
    p.add_argument("--epochs", type=int, default=8)
    args = p.parse_args()

    train = reviews(args, "train")
    vectorize = tf.keras.layers.TextVectorization(
        max_tokens=args.max_tokens, output_sequence_length=256)
    vectorize.adapt(train.map(lambda text, _: text, num_parallel_calls=tf.data.AUTOTUNE))
    model = tf.keras.Sequential([
        vectorize,
        tf.keras.layers.Embedding(args.max_tokens, 128, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=reviews(args, "test"), epochs=args.epochs)


if __name__ == "__main__":
    main()
