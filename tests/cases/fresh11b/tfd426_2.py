import argparse
from functools import partial

import tensorflow as tf

SPEC = {
    "ids": tf.io.FixedLenFeature([128], tf.int64),
    "mask": tf.io.FixedLenFeature([128], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return {"ids": ex["ids"], "mask": ex["mask"]}, ex["label"]


def corrupt(ids, mask, label, rate, mask_id=103):
    drop = tf.random.uniform(tf.shape(ids)) < rate
    ids = tf.where(drop & (mask > 0), tf.cast(mask_id, ids.dtype), ids)
    return {"ids": ids, "mask": mask}, label


def dataset(pattern, batch_size, rate):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    if rate:
        ds = ds.map(partial(corrupt, rate=rate), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="/data/nli/train-*")
    p.add_argument("--rate", type=float, default=0.15)
    args = p.parse_args()
    ids, mask = tf.keras.Input((128,), dtype="int64", name="ids"), tf.keras.Input((128,), dtype="int64", name="mask")
    h = tf.keras.layers.Embedding(30522, 128)(ids)
    h = tf.keras.layers.GRU(128)(h, mask=tf.keras.ops.cast(mask, "bool"))
    model = tf.keras.Model({"ids": ids, "mask": mask}, tf.keras.layers.Dense(3)(h))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(dataset(args.data, 64, args.rate), epochs=3)


if __name__ == "__main__":
    main()
