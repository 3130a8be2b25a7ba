import functools
import glob
import os

import tensorflow as tf


def distributed(fn):
    """Give each SLURM task its share of the records."""
    world = int(os.environ.get("SLURM_NTASKS", "1"))
    rank = int(os.environ.get("SLURM_PROCID", "0"))

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        ds = fn(*args, **kwargs)
        if world > 1:
            ds = ds.shard(world, rank)
        return ds
    return wrapper


@distributed
def sentences(folder):
    files = sorted(glob.glob(os.path.join(folder, "wiki-*.txt")))
    lines = tf.data.TextLineDataset(files, buffer_size=1 << 20)
    return lines.filter(lambda s: tf.strings.length(s) > 20)


def skip_grams(vectorize, batch_size):
    ds = sentences("/data/wiki/split")
    ds = ds.shuffle(100_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(vectorize, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda ids: (ids[:, :-1], ids[:, 1:]))
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    vectorize = tf.keras.layers.TextVectorization(
        max_tokens=30_000, output_sequence_length=129, vocabulary="/data/wiki/vocab.txt")
    strategy = tf.distribute.MultiWorkerMirroredStrategy(
        tf.distribute.cluster_resolver.SlurmClusterResolver())
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(30_000, 512),
            tf.keras.layers.LSTM(1024, return_sequences=True),
            tf.keras.layers.Dense(30_000),
        ])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(skip_grams(vectorize, 256).with_options(options), epochs=3)


if __name__ == "__main__":
    main()
