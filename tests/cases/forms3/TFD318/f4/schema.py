import tensorflow as tf

CONTEXT = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "country": tf.io.FixedLenFeature([], tf.string),
    "bought": tf.io.FixedLenFeature([], tf.float32),
}
SEQUENCE = {
    "item": tf.io.FixedLenSequenceFeature([], tf.int64),
    "dwell": tf.io.FixedLenSequenceFeature([], tf.float32),
    "title": tf.io.FixedLenSequenceFeature([], tf.string),
}


def parse_sequence(record):
    context, sequence = tf.io.parse_single_sequence_example(
        record, context_features=CONTEXT, sequence_features=SEQUENCE)
    return context, sequence
