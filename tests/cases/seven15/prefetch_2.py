import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
VOCAB = 20000
LENGTH = 256

vectorizer = tf.keras.layers.experimental.preprocessing.TextVectorization(
    max_tokens=VOCAB, output_sequence_length=LENGTH)


def split_line(lines):
    parts = tf.strings.split(lines, "\t").to_tensor(shape=[None, 2])
    label = tf.strings.to_number(parts[:, 0], tf.int32)
    return parts[:, 1], label


def encode(text, label):
    return vectorizer(text), label


def pipeline(source, steps):
    return functools.reduce(lambda d, step: step(d), steps, source)


TRAIN_STEPS = [
    lambda d: d.shuffle(50_000, seed=11),
    lambda d: d.batch(128),
    lambda d: d.map(split_line, num_parallel_calls=AUTO),
    lambda d: d.map(encode, num_parallel_calls=AUTO),
]


def main():
    lines = tf.data.TextLineDataset("reviews/train.tsv")
    vectorizer.adapt(lines.batch(1024).map(lambda l: split_line(l)[0], num_parallel_calls=AUTO).prefetch(AUTO))

    train = pipeline(lines, TRAIN_STEPS)

    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(VOCAB, 64, mask_zero=True),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(1),
    ])
    model.compile(
        optimizer=tf.keras.optimizers.Adam(3e-4),
        loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, epochs=5)
    model.save("out/reviews")


main()
