import tensorflow as tf

SPEC = {"features": tf.io.FixedLenFeature([512], tf.float32)}


def read_all(pattern):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.Dataset.from_tensor_slices(files)
    return ds.flat_map(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"))


def parse(records):
    return tf.io.parse_example(records, SPEC)["features"]
