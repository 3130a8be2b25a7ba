"""DLRM-lite on Criteo TFRecords with absl flags."""
from absl import app
from absl import flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("train_glob", "gs://ads/criteo/train-*.tfrecord", "")
flags.DEFINE_integer("batch", 8192, "")
flags.DEFINE_integer("buckets", 200000, "")


class CriteoReader:
    """Reads, cleans and batches impressions."""

    def __init__(self, pattern, buckets):
        self.pattern = pattern
        self.buckets = buckets
        self.schema = {
            "dense": tf.io.FixedLenFeature([13], tf.float32),
            "cat": tf.io.FixedLenFeature([26], tf.string),
            "click": tf.io.FixedLenFeature([], tf.int64),
        }

    def read(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=32,
                              num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        return ds.map(lambda r: tf.io.parse_single_example(r, self.schema),
                      num_parallel_calls=tf.data.AUTOTUNE)

    def clean(self, row):
        dense = tf.math.log1p(tf.maximum(row["dense"], 0.0))
        ids = tf.strings.to_hash_bucket_fast(row["cat"], self.buckets)
        return (dense, ids), tf.cast(row["click"], tf.float32)

    def __call__(self, batch_size):
        ds = self.read()
        ds = ds.shuffle(500_000)
        ds = ds.map(self.clean, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def build(buckets):
    dense = tf.keras.Input((13,))
    cat = tf.keras.Input((26,), dtype=tf.int64)
    bottom = tf.keras.layers.Dense(32, activation="relu")(dense)
    emb = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(buckets, 32)(cat))
    top = tf.keras.layers.Concatenate()([bottom, emb])
    for w in (512, 256):
        top = tf.keras.layers.Dense(w, activation="relu")(top)
    return tf.keras.Model((dense, cat), tf.keras.layers.Dense(1, activation="sigmoid")(top))


def main(_):
    reader = CriteoReader(FLAGS.train_glob, FLAGS.buckets)
    model = build(FLAGS.buckets)
    model.compile("adam", "binary_crossentropy")
    model.fit(reader(FLAGS.batch), epochs=1)


if __name__ == "__main__":
    app.run(main)
