"""Document ranking on sharded query logs."""
import os

import tensorflow as tf

DATA = os.environ.get("RANK_DATA", "/mnt/rank")
LIST = 20
FEATS = 136


def read_shard(path):
    return tf.data.TFRecordDataset(path, compression_type="GZIP", buffer_size=8 << 20)


def parse(raw):
    ex = tf.io.parse_example(raw, {
        "docs": tf.io.FixedLenFeature([LIST, FEATS], tf.float32),
        "grade": tf.io.FixedLenFeature([LIST], tf.float32),
    })
    return ex["docs"], ex["grade"]


def queries(split, batch_size):
    training = split == "train"
    shards = tf.data.Dataset.list_files(f"{DATA}/{split}/*.tfrecord.gz", shuffle=training)
    ds = shards.interleave(
        read_shard,
        cycle_length=16,
        block_length=32,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=not training,
    )
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch_size)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def listwise_loss(grade, score):
    return tf.keras.losses.kl_divergence(tf.nn.softmax(grade), tf.nn.softmax(score))


def scorer():
    docs = tf.keras.Input((LIST, FEATS))
    x = tf.keras.layers.BatchNormalization()(docs)
    for units in (256, 128):
        x = tf.keras.layers.Dense(units, activation="relu")(x)
    score = tf.keras.layers.Reshape((LIST,))(tf.keras.layers.Dense(1)(x))
    return tf.keras.Model(docs, score)


if __name__ == "__main__":
    model = scorer()
    model.compile(tf.keras.optimizers.Adam(1e-3), listwise_loss)
    model.fit(queries("train", 256), validation_data=queries("valid", 256), epochs=10)
    model.save("ranker.keras")
