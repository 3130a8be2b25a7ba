import os
import tempfile

import tensorflow as tf


def write_numbers(path, count):
    with tf.io.TFRecordWriter(path) as writer:
        for number in range(count):
            writer.write(tf.io.serialize_tensor(tf.constant(number)).numpy())


def decode(record):
    return tf.io.parse_tensor(record, tf.int32)


def numbers(count):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.tfrecord")
        write_numbers(path, count)
        ds = tf.data.TFRecordDataset(path)
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    total = 0
    for number in numbers(1000):
        total += int(number)
    print(total)


if __name__ == "__main__":
    main()
