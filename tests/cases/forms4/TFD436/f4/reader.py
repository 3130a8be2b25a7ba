import tensorflow as tf

SPEC = {
    "xyz": tf.io.FixedLenFeature([3], tf.float32),
    "activity": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, SPEC)
    return example["xyz"], example["activity"]


def samples(folder):
    files = tf.data.Dataset.list_files(f"{folder}/*.tfrecord", seed=21)
    records = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=4,
        block_length=16,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return records.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
