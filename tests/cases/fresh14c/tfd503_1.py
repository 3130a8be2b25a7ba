import argparse
import datetime
import os

import tensorflow as tf
import tensorflow_datasets as tfds

VOCABULARY = 20000
LENGTH = 200


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--logdir", default="logs")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--units", type=int, default=64)
    return parser.parse_args()


def reviews(batch_size):
    train, test = tfds.load("imdb_reviews", split=["train", "test"], as_supervised=True, shuffle_files=True)
    vectorizer = tf.keras.layers.TextVectorization(VOCABULARY, output_sequence_length=LENGTH)
    vectorizer.adapt(train.batch(512).map(lambda text, label: text, num_parallel_calls=tf.data.AUTOTUNE))

    def vectorise(texts, labels):
        return vectorizer(texts), labels

    train = (
        train.shuffle(25_000)
        .batch(batch_size)
        .map(vectorise, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )
    test = test.batch(batch_size).map(vectorise, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    return train, test


def build(units):
    return tf.keras.Sequential(
        [
            tf.keras.Input([LENGTH], dtype=tf.int64),
            tf.keras.layers.Embedding(VOCABULARY, 128),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(units)),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )


def callbacks(logdir):
    run = os.path.join(logdir, datetime.datetime.now().strftime("%Y%m%d-%H%M%S"))
    board = tf.keras.callbacks.TensorBoard(
        log_dir=run,
        histogram_freq=1,
        profile_batch=(100, 600),
    )
    return [board, tf.keras.callbacks.EarlyStopping(patience=2)]


def main():
    args = parse_args()
    train, test = reviews(args.batch_size)
    model = build(args.units)
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train, validation_data=test, epochs=args.epochs, callbacks=callbacks(args.logdir))


if __name__ == "__main__":
    main()
