import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=2024)
parser.add_argument("--drop", type=float, default=0.1)
args = parser.parse_args()
tf.random.set_seed(args.seed)


def drop_words(line):
    words = tf.strings.split(line)
    keep = tf.random.uniform(tf.shape(words), seed=args.seed) > args.drop
    return tf.strings.reduce_join(tf.boolean_mask(words, keep), separator=" ")


lines = tf.data.TextLineDataset("sentences.txt").shuffle(10_000, seed=args.seed)
pairs = lines.map(
    lambda line: (drop_words(line), line), num_parallel_calls=tf.data.AUTOTUNE
)
pairs = pairs.batch(64).prefetch(tf.data.AUTOTUNE)

vectorize = tf.keras.layers.TextVectorization(max_tokens=5000, output_sequence_length=30)
vectorize.adapt(pairs.map(lambda noisy, line: line, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.models.load_model("restore.keras")
for noisy, line in pairs:
    model.train_on_batch(vectorize(noisy), vectorize(line))
