"""CTR model on click logs; 512 gzipped shards in a bucket."""
import argparse

import tensorflow as tf

DENSE, SPARSE = 13, 26
SPEC = {
    "label": tf.io.FixedLenFeature([], tf.float32),
    "dense": tf.io.FixedLenFeature([DENSE], tf.float32),
    "sparse": tf.io.FixedLenFeature([SPARSE], tf.int64),
}


def parse_batch(serialized):
    ex = tf.io.parse_example(serialized, SPEC)
    ex["dense"] = tf.math.log1p(tf.maximum(ex["dense"], 0.0))
    return ex, ex.pop("label")


def click_logs(pattern, batch_size):
    return (
        tf.data.Dataset.list_files(pattern, shuffle=True)
        .interleave(
            lambda path: tf.data.TFRecordDataset(path, compression_type="GZIP"),
            cycle_length=16,
            block_length=64,
        )
        .shuffle(200_000)
        .batch(batch_size, drop_remainder=True)
        .map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


class WideAndDeep(tf.keras.Model):
    def __init__(self, buckets=1_000_000, dim=32):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(buckets, dim)
        self.mlp = tf.keras.Sequential(
            [tf.keras.layers.Dense(n, activation="relu") for n in (512, 256, 64)])
        self.head = tf.keras.layers.Dense(1)

    def call(self, inputs):
        e = tf.reshape(self.embed(inputs["sparse"]), (-1, SPARSE * 32))
        return self.head(self.mlp(tf.concat([e, inputs["dense"]], axis=1)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="gs://ads-logs/day_*/part-*.gz")
    p.add_argument("--batch-size", type=int, default=8192)
    args = p.parse_args()
    model = WideAndDeep()
    model.compile(tf.keras.optimizers.Adagrad(0.02),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(click_logs(args.pattern, args.batch_size), epochs=1)
    model.save_weights("ctr.ckpt")


if __name__ == "__main__":
    main()
