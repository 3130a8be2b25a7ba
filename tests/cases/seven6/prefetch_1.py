"""Trains a ResNet on our product photos.

python train_products.py --data_dir=gs://acme-products/tfrecords --model_dir=/tmp/run1
"""
import os

from absl import app
from absl import flags
from absl import logging
import tensorflow as tf

flags.DEFINE_string('data_dir', None, 'Directory of the TFRecord shards.')
flags.DEFINE_string('model_dir', '/tmp/products', 'Where checkpoints go.')
flags.DEFINE_integer('batch_size', 128, 'Images per step.')
flags.DEFINE_integer('epochs', 90, 'Passes over the data.')
FLAGS = flags.FLAGS

FEATURES = {
    'image/encoded': tf.io.FixedLenFeature([], tf.string),
    'image/class/label': tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
  parsed = tf.io.parse_single_example(record, FEATURES)
  image = tf.io.decode_jpeg(parsed['image/encoded'], channels=3)
  image = tf.image.random_flip_left_right(tf.image.resize(image, [224, 224]))
  return image / 127.5 - 1.0, parsed['image/class/label']


class Trainer:

  def __init__(self, model, optimizer):
    self.model = model
    self.optimizer = optimizer
    self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    self.ckpt = tf.train.Checkpoint(model=model, optimizer=optimizer)

  def input_fn(self):
    files = tf.data.Dataset.list_files(os.path.join(FLAGS.data_dir, 'train-*'))
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(FLAGS.batch_size, drop_remainder=True)

  @tf.function
  def train_step(self, images, labels):
    with tf.GradientTape() as tape:
      loss = self.loss_fn(labels, self.model(images, training=True))
    variables = self.model.trainable_variables
    self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss

  def run(self):
    dataset = self.input_fn()
    for epoch in range(FLAGS.epochs):
      for images, labels in dataset:
        loss = self.train_step(images, labels)
      logging.info('epoch %d loss %.4f', epoch, float(loss))
      self.ckpt.save(os.path.join(FLAGS.model_dir, 'ckpt'))


def main(_):
  model = tf.keras.applications.ResNet50(weights=None, classes=412, classifier_activation=None)
  Trainer(model, tf.keras.optimizers.SGD(0.1, momentum=0.9)).run()


if __name__ == '__main__':
  app.run(main)
