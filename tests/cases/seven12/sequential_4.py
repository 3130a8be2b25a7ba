from absl import app, flags
import tensorflow as tf

flags.DEFINE_string("data", "gs://corpus/tokens", "Root of the shards.")
flags.DEFINE_integer("cycle", 32, "Shards read at once.")
flags.DEFINE_integer("batch", 128, "Batch size.")
FLAGS = flags.FLAGS


def read_shard(path):
    return tf.data.TFRecordDataset(path, buffer_size=8 << 20)


def parse(raw):
    ex = tf.io.parse_example(raw, {"ids": tf.io.FixedLenFeature([513], tf.int64)})
    return ex["ids"][:, :-1], ex["ids"][:, 1:]


def token_dataset(split):
    shards = tf.data.Dataset.list_files(f"{FLAGS.data}/{split}-*.tfrecord")
    ds = shards.interleave(read_shard, cycle_length=FLAGS.cycle, block_length=16)
    if split == "train":
        ds = ds.shuffle(65536)
    ds = ds.batch(FLAGS.batch, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(50000, 512),
        tf.keras.layers.GRU(1024, return_sequences=True),
        tf.keras.layers.Dense(50000),
    ])
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    splits = {s: token_dataset(s) for s in ("train", "valid")}
    model.fit(splits["train"], validation_data=splits["valid"], epochs=3)


if __name__ == "__main__":
    app.run(main)
