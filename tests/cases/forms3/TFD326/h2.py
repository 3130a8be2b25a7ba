import argparse

import tensorflow as tf


def parse(batch):
    d = tf.io.parse_example(batch, {"ids": tf.io.FixedLenFeature([64], tf.int64)})
    return d["ids"]


def score_input(pattern, batch_size):
    files = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.TFRecordDataset(files, compression_type="GZIP", num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


p = argparse.ArgumentParser()
p.add_argument("--files", default="tweets-*.gz")
p.add_argument("--batch", type=int, default=256)
a = p.parse_args()
model = tf.keras.models.load_model("tweets.keras")
scores = model.predict(score_input(a.files, a.batch))
with open("scores.txt", "w") as out:
    out.writelines(f"{s:.5f}\n" for s in scores[:, 0])
