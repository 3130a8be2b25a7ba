import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
options = tf.io.TFRecordOptions(compression_type="GZIP")
with tf.io.TFRecordWriter("points.tfrecord", options) as writer:
    for point in rng.normal(size=(10_000, 2)):
        feature = tf.train.Feature(float_list=tf.train.FloatList(value=point))
        example = tf.train.Example(features=tf.train.Features(feature={"point": feature}))
        writer.write(example.SerializeToString())


def parse(record):
    spec = {"point": tf.io.FixedLenFeature([2], tf.float32)}
    return tf.io.parse_single_example(record, spec)["point"]


points = tf.data.TFRecordDataset("points.tfrecord")
points = points.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
points = points.batch(256).prefetch(tf.data.AUTOTUNE)

total = tf.zeros([2])
for batch in points:
    total += tf.reduce_sum(batch, axis=0)
print("mean", total / 10_000)
