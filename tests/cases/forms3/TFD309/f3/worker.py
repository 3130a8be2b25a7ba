import argparse

import tensorflow as tf

from records import parse, read_all

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, required=True)
parser.add_argument("--index", type=int, required=True)
parser.add_argument("--out", default="embeddings")
args = parser.parse_args()

mine = read_all("archive/*.tfrecord.gz").shard(num_shards=args.workers, index=args.index)
mine = mine.batch(128).map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
encoder = tf.keras.models.load_model("encoder.keras")
with tf.io.TFRecordWriter(f"{args.out}-{args.index:03d}.tfrecord") as writer:
    for features in mine:
        vectors = encoder(features, training=False)
        writer.write(tf.io.serialize_tensor(vectors).numpy())
