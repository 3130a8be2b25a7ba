"""GBDT-distilled CTR net: reads hourly TFRecord partitions written by Spark."""
import datetime as dt

import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("table", "hdfs://warehouse/ctr/hourly", "partition root")
flags.DEFINE_string("day", "2021-06-01", "first day")
flags.DEFINE_integer("days", 14, "days to train on")
flags.DEFINE_integer("batch", 16384, "batch size")
FLAGS = flags.FLAGS

READ_KWARGS = {
    "cycle_length": 32,
    "block_length": 64,
    "num_parallel_calls": tf.data.AUTOTUNE,
    "deterministic": False,
}

SPEC = {
    "dense": tf.io.FixedLenFeature([40], tf.float32),
    "ids": tf.io.FixedLenFeature([22], tf.int64),
    "teacher": tf.io.FixedLenFeature([], tf.float32),
    "click": tf.io.FixedLenFeature([], tf.float32),
}


def partitions(first, days):
    start = dt.date.fromisoformat(first)
    for d in range(days):
        for h in range(24):
            day = start + dt.timedelta(days=d)
            yield f"{FLAGS.table}/dt={day}/hr={h:02d}/part-*.tfrecord"


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    y = tf.stack([ex.pop("click"), ex.pop("teacher")], -1)
    return ex, y


def read(patterns, **overrides):
    kwargs = {**READ_KWARGS, **overrides}
    files = tf.data.Dataset.from_tensor_slices(tf.io.gfile.glob(list(patterns)))
    ds = files.shuffle(10_000)
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f), **kwargs)
    return ds


def train_data():
    ds = read(partitions(FLAGS.day, FLAGS.days), block_length=128)
    ds = ds.shuffle(500_000).batch(FLAGS.batch, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(8)


def distill_loss(y, logit):
    click, teacher = y[:, :1], y[:, 1:]
    hard = tf.nn.sigmoid_cross_entropy_with_logits(click, logit)
    soft = tf.nn.sigmoid_cross_entropy_with_logits(teacher, logit)
    return tf.reduce_mean(0.3 * hard + 0.7 * soft)


def main(_):
    dense = tf.keras.Input([40], name="dense")
    ids = tf.keras.Input([22], dtype=tf.int64, name="ids")
    emb = tf.keras.layers.Embedding(5_000_000, 16)(ids)
    x = tf.concat([dense, tf.keras.layers.Flatten()(emb)], -1)
    for w in (512, 256, 128):
        x = tf.keras.layers.Dense(w, activation="relu")(x)
    model = tf.keras.Model({"dense": dense, "ids": ids}, tf.keras.layers.Dense(1)(x))
    model.compile("adam", distill_loss)
    model.fit(train_data(), epochs=1)


if __name__ == "__main__":
    app.run(main)
