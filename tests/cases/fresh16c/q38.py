import functools
import re
import sys

import tensorflow as tf


def tensor_op(out_type):
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args):
            result = tf.py_function(fn, args, out_type)
            result.set_shape([])
            return result

        return inner

    return wrap


@tensor_op(tf.string)
def clean(text):
    s = text.numpy().decode("utf8", errors="ignore").lower()
    s = re.sub(r"https?://\S+", " url ", s)
    s = re.sub(r"@\w+", " user ", s)
    s = re.sub(r"[^a-z0-9' ]+", " ", s)
    return re.sub(r"\s+", " ", s).strip()


def split_columns(line):
    target, tweet = tf.io.decode_csv(line, [[0], [""]], select_cols=[0, 5])
    return tweet, tf.cast(tf.equal(target, 4), tf.float32)


def tweets(path, training):
    ds = tf.data.TextLineDataset(path)
    if training:
        ds = ds.shuffle(200_000)
    ds = ds.map(split_columns, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda t, y: (clean(t), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(512).prefetch(tf.data.AUTOTUNE)


def build(train):
    vec = tf.keras.layers.TextVectorization(max_tokens=30_000, output_sequence_length=40, standardize=None)
    vec.adapt(train.map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE).take(400))
    model = tf.keras.Sequential([
        tf.keras.Input((1,), dtype="string"),
        vec,
        tf.keras.layers.Embedding(30_000, 64),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


def main(folder):
    train = tweets(f"{folder}/train.csv", True)
    test = tweets(f"{folder}/test.csv", False)
    model = build(train)
    model.fit(train, epochs=3)
    print(model.evaluate(test, return_dict=True))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "sentiment140")
