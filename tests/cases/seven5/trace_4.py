"""Sentence classifier, profiled for eight steps once warm."""
import contextlib

import tensorflow as tf
import keras
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("data", "/data/arxiv/train-*.tfrecord", "training records")
flags.DEFINE_string("logdir", "/logs/arxiv", "for TensorBoard")
flags.DEFINE_integer("steps", 60_000, "training steps")

FIRST, LAST = 1000, 1007


@contextlib.contextmanager
def profiled_step(step):
    """Opens the profile at FIRST, closes it after LAST, marks the step."""
    if step == FIRST:
        tf.profiler.experimental.start(FLAGS.logdir)
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        yield
    if step == LAST:
        tf.profiler.experimental.stop()


def batches(pattern):
    spec = {
        "ids": tf.io.FixedLenFeature([256], tf.int64),
        "area": tf.io.FixedLenFeature([], tf.int64),
    }

    def parse(records):
        ex = tf.io.parse_example(records, spec)
        return ex["ids"], ex["area"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat().batch(256, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = keras.Sequential([
        keras.layers.Embedding(32_000, 256),
        keras.layers.Bidirectional(keras.layers.LSTM(256)),
        keras.layers.Dense(20),
    ])
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(5e-4)

    @tf.function
    def train_step(ids, area):
        with tf.GradientTape() as tape:
            loss = loss_fn(area, model(ids, training=True))
        optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        return loss

    for step, (ids, area) in zip(range(FLAGS.steps), batches(FLAGS.data)):
        with profiled_step(step):
            loss = train_step(ids, area)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
