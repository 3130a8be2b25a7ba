"""Text classification: hashed n-grams, thirty passes."""
import tensorflow as tf
import keras
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("train", "/data/reviews/train-*.tsv", "files of label, tab, text")
flags.DEFINE_integer("passes", 30, "passes over the data")
flags.DEFINE_integer("batch_size", 512, "lines in a batch")
flags.DEFINE_integer("lines", 3_600_000, "lines of the training data")

BUCKETS = 100_000


def hash_words(line):
    parts = tf.strings.split(line, "\t", maxsplit=1)
    label = tf.strings.to_number(parts[0], tf.int32)
    words = tf.strings.split(tf.strings.lower(parts[1]))[:200]
    ids = tf.strings.to_hash_bucket_fast(words, BUCKETS)
    return tf.pad(ids, [[0, 200 - tf.size(ids)]]), label


def train_batches():
    files = tf.data.Dataset.list_files(FLAGS.train)
    lines = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    examples = lines.map(hash_words, num_parallel_calls=tf.data.AUTOTUNE)
    examples = examples.repeat(FLAGS.passes)
    examples = examples.cache()
    examples = examples.shuffle(100_000)
    return examples.batch(FLAGS.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = keras.Sequential([
        keras.layers.Embedding(BUCKETS, 64),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(5),
    ])
    model.compile(
        keras.optimizers.Adam(1e-3),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        ["accuracy"],
    )
    model.fit(train_batches(), epochs=FLAGS.passes, steps_per_epoch=FLAGS.lines // FLAGS.batch_size)
    model.save("/models/reviews.keras")


if __name__ == "__main__":
    app.run(main)
