import tensorflow as tf

from ops import scale_and_encode

SPEC = {
    "patch": tf.io.FixedLenFeature([32 * 32 * 4], tf.float32),
    "crop_type": tf.io.FixedLenFeature([], tf.int64),
}


def records(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return files.interleave(
        tf.data.TFRecordDataset,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )


def unpack(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    return ex["patch"], ex["crop_type"]


def train_dataset(pattern, batch_size):
    ds = records(pattern)
    ds = ds.batch(1024).map(unpack, num_parallel_calls=tf.data.AUTOTUNE).unbatch()
    ds = ds.shuffle(20_000)
    ds = ds.map(scale_and_encode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)
