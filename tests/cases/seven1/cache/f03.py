import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--tfrecords", required=True)
parser.add_argument("--epochs", type=int, default=50)
parser.add_argument("--batch_size", type=int, default=64)
FLAGS = parser.parse_args()

DESC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
}


def _parse_function(proto):
    parsed = tf.io.parse_single_example(proto, DESC)
    image = tf.io.decode_image(parsed["image/encoded"], channels=3, expand_animations=False)
    image = tf.image.resize_with_pad(image, 224, 224)
    return tf.keras.applications.resnet50.preprocess_input(image), parsed["image/class/label"]


files = tf.io.gfile.glob(FLAGS.tfrecords)
dataset = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE).cache()
dataset = dataset.shuffle(5000)
dataset = dataset.map(_parse_function, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(FLAGS.batch_size).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, classes=37)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(dataset, epochs=FLAGS.epochs)
