import tensorflow as tf

FILES = "wind-*.tfrecord"
BUFFER = 30000
BATCH = 128
ORDERED = True


def features(records):
    d = tf.io.parse_example(records, {
        "v": tf.io.FixedLenFeature([24], tf.float32), "power": tf.io.FixedLenFeature([], tf.float32)})
    return d["v"], d["power"]
