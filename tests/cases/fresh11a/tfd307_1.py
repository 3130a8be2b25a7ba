import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("input", "/data/ratings/*.tfrecord", "Input files.")
flags.DEFINE_integer("epochs", 10, "Number of epochs.")
flags.DEFINE_integer("batch_size", 4096, "Batch size.")
FLAGS = flags.FLAGS

SPEC = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "movie": tf.io.FixedLenFeature([], tf.int64),
    "rating": tf.io.FixedLenFeature([], tf.float32),
}


def read(pattern, epochs=None):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.repeat(epochs)


def randomise(buffer_size):
    return lambda ds: ds.shuffle(buffer_size)


def parse(records):
    f = tf.io.parse_example(records, SPEC)
    return (f["user"], f["movie"]), f["rating"]


def main(_):
    ds = read(FLAGS.input, FLAGS.epochs)
    ds = ds.apply(randomise(100000))
    ds = ds.batch(FLAGS.batch_size, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    user = tf.keras.Input((), dtype="int64")
    movie = tf.keras.Input((), dtype="int64")
    u = tf.keras.layers.Embedding(200000, 64)(user)
    m = tf.keras.layers.Embedding(60000, 64)(movie)
    model = tf.keras.Model((user, movie), tf.keras.layers.Dot(1)([u, m]))
    model.compile("adam", "mse")
    model.fit(ds)


if __name__ == "__main__":
    app.run(main)
