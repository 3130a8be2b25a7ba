import functools

from absl import app, flags
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset, TextLineDataset

FLAGS = flags.FLAGS
flags.DEFINE_string("data_dir", "/mnt/corpus", "Folder with gzip text shards.")
flags.DEFINE_integer("batch_size", 128, "Examples in a batch.")
flags.DEFINE_integer("files_at_once", 32, "Shards that are mixed.")

open_shard = functools.partial(TextLineDataset, compression_type="GZIP")


def mix_shards(block_length):
    def transform(paths):
        return Dataset.interleave(
            paths, open_shard, FLAGS.files_at_once, block_length)
    return transform


def split_line(lines):
    parts = tf.strings.split(lines, "\t").to_tensor(shape=[None, 2])
    return parts[:, 1], tf.strings.to_number(parts[:, 0])


def make_split(name, training):
    paths = Dataset.list_files(f"{FLAGS.data_dir}/{name}-*.txt.gz", shuffle=training)
    ds = paths.apply(mix_shards(block_length=8))
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(FLAGS.batch_size)
    ds = ds.map(split_line, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def main(_):
    vectorizer = tf.keras.layers.TextVectorization(
        max_tokens=30_000, output_sequence_length=200,
        vocabulary=f"{FLAGS.data_dir}/vocab.txt")
    model = tf.keras.Sequential([
        vectorizer,
        tf.keras.layers.Embedding(30_000, 128),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    splits = {n: make_split(n, n == "train") for n in ("train", "valid")}
    model.fit(splits["train"], validation_data=splits["valid"], epochs=5)


if __name__ == "__main__":
    app.run(main)
