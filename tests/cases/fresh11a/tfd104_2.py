import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("train_files", None, "Glob of record files.")
flags.DEFINE_integer("batch_size", 512, "Batch size.")
FLAGS = flags.FLAGS

SPEC = {
    "ids": tf.io.FixedLenFeature([128], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def expand(reader, **reader_args):
    """Turns a dataset of names into a dataset of records."""
    def transform(names):
        return names.flat_map(lambda name: reader(name, **reader_args))
    return transform


def decode(serialized):
    columns = tf.io.parse_example(serialized, SPEC)
    label = columns.pop("label")
    return columns["ids"], label


def input_fn(pattern, batch_size):
    ds = tf.compat.v1.data.Dataset.list_files(pattern)
    ds = ds.apply(expand(tf.compat.v1.data.TFRecordDataset, compression_type="GZIP"))
    ds = ds.shuffle(100000).batch(batch_size, drop_remainder=True)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(50000, 128),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(20, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(input_fn(FLAGS.train_files, FLAGS.batch_size), epochs=10)


if __name__ == "__main__":
    app.run(main)
