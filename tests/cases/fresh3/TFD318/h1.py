import csv

import tensorflow as tf

SPEC = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "country": tf.io.FixedLenFeature([], tf.string),
    "age": tf.io.FixedLenFeature([], tf.float32),
    "spent": tf.io.FixedLenFeature([], tf.float32),
    "visits": tf.io.FixedLenFeature([], tf.int64),
}


def parse(records):
    return tf.io.parse_example(records, SPEC)


files = sorted(tf.io.gfile.glob("users-*.rec"))
ds = tf.data.TFRecordDataset(files).batch(1024)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

with open("users.csv", "w", newline="") as f:
    out = csv.DictWriter(f, fieldnames=sorted(SPEC))
    out.writeheader()
    for batch in ds.as_numpy_iterator():
        for row in zip(*(batch[name] for name in sorted(batch))):
            out.writerow(dict(zip(sorted(batch), row)))
