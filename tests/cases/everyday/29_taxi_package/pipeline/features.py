import tensorflow as tf

LABEL = "fare"
NUMERIC = ("distance", "duration", "pickup_hour", "passengers")

SPEC = {name: tf.io.FixedLenFeature([], tf.float32) for name in (*NUMERIC, LABEL)}


def parse(records):
    """Parses a batch of records into features and a label."""
    columns = tf.io.parse_example(records, SPEC)
    label = columns.pop(LABEL)
    columns["speed"] = tf.math.divide_no_nan(columns["distance"], columns["duration"])
    return columns, label
