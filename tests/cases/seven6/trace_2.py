"""BERT fine-tuning on in-house tickets; profiles steps 200 to 208."""
from absl import app
from absl import flags
from absl import logging
import tensorflow as tf

from tickets import modeling

flags.DEFINE_string("input", None, "TFRecord pattern")
flags.DEFINE_string("model_dir", None, "output")
flags.DEFINE_integer("train_steps", 30000, "")
flags.DEFINE_bool("profile", True, "profile a few steps")
FLAGS = flags.FLAGS
SEQ = 256


def make_dataset(batch_size):
  spec = {"ids": tf.io.FixedLenFeature([SEQ], tf.int64),
          "mask": tf.io.FixedLenFeature([SEQ], tf.int64),
          "queue": tf.io.FixedLenFeature([], tf.int64)}
  ds = tf.data.Dataset.list_files(FLAGS.input)
  ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
  ds = ds.shuffle(50000).repeat().batch(batch_size, drop_remainder=True)
  ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
  return ds.prefetch(tf.data.AUTOTUNE)


def main(_):
  model = modeling.bert_classifier(num_classes=64, seq_length=SEQ)
  optimizer = tf.keras.optimizers.Adam(3e-5)
  loss_obj = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

  @tf.function
  def train_step(batch):
    with tf.GradientTape() as tape:
      logits = model([batch["ids"], batch["mask"]], training=True)
      loss = loss_obj(batch["queue"], logits)
    grads, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss

  iterator = iter(make_dataset(32))
  for step in range(FLAGS.train_steps):
    if FLAGS.profile and step == 200:
      tf.profiler.experimental.start(FLAGS.model_dir)
    batch = next(iterator)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
      loss = train_step(batch)
    if FLAGS.profile and step == 208:
      tf.profiler.experimental.stop()
    if step % 500 == 0:
      logging.info("step %d: loss = %.4f", step, float(loss))
  model.save_weights(FLAGS.model_dir + "/final.weights.h5")


if __name__ == "__main__":
  app.run(main)
