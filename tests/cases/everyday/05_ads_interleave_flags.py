"""Wide and deep click model; records are written by the nightly export job."""
from absl import app
from absl import flags
from absl import logging
import tensorflow as tf

flags.DEFINE_string("train_pattern", "/data/ads/train-*.tfrecord.gz", "Input files.")
flags.DEFINE_integer("batch_size", 1024, "Rows of a batch.")
flags.DEFINE_integer("epochs", 3, "Passes over the data.")
flags.DEFINE_string("model_dir", "/tmp/ads", "Where to write the model.")
flags.DEFINE_float("learning_rate", 1e-3, "Learning rate of Adam.")
FLAGS = flags.FLAGS

FEATURES = {
  "user": tf.io.FixedLenFeature([], tf.int64),
  "item": tf.io.FixedLenFeature([], tf.int64),
  "dense": tf.io.FixedLenFeature([13], tf.float32),
  "clicked": tf.io.FixedLenFeature([], tf.float32),
}


def read_file(name):
  return tf.data.TFRecordDataset(name, compression_type="GZIP")


def parse_batch(records):
  features = tf.io.parse_example(records, FEATURES)
  label = features.pop("clicked")
  features["dense"] = tf.math.log1p(tf.nn.relu(features["dense"]))
  return features, label


def input_pipeline():
  files = tf.data.Dataset.list_files(FLAGS.train_pattern)
  records = files.interleave(read_file, cycle_length=8, block_length=16)
  records = records.shuffle(100_000).batch(FLAGS.batch_size, drop_remainder=True)
  return records.map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE)


def build_model():
  user = tf.keras.Input([], name="user", dtype=tf.int64)
  item = tf.keras.Input([], name="item", dtype=tf.int64)
  dense = tf.keras.Input([13], name="dense")
  user_vector = tf.keras.layers.Embedding(1_000_000, 16)(user)
  item_vector = tf.keras.layers.Embedding(200_000, 16)(item)
  x = tf.concat([user_vector, item_vector, dense], axis=-1)
  for units in (256, 64):
    x = tf.keras.layers.Dense(units, activation="relu")(x)
  return tf.keras.Model([user, item, dense], tf.keras.layers.Dense(1)(x))


def main(_):
  model = build_model()
  model.compile(
    tf.keras.optimizers.Adam(FLAGS.learning_rate),
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
  )
  tensorboard = tf.keras.callbacks.TensorBoard(FLAGS.model_dir, update_freq=100)
  model.fit(input_pipeline().prefetch(2), epochs=FLAGS.epochs, callbacks=[tensorboard], verbose=2)
  model.save(FLAGS.model_dir)
  logging.info("saved to %s", FLAGS.model_dir)


if __name__ == "__main__":
  app.run(main)
