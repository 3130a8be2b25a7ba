import os

import tensorflow as tf

RANK = int(os.environ["SLURM_PROCID"])
WORLD = int(os.environ["SLURM_NTASKS"])

SPEC = {"protein": tf.io.FixedLenFeature([], tf.string),
        "stability": tf.io.FixedLenFeature([], tf.float32)}


def encode(record):
    ex = tf.io.parse_single_example(record, SPEC)
    residues = tf.cast(tf.io.decode_raw(ex["protein"], tf.uint8), tf.int32) - 64
    return residues[:512], ex["stability"]


def loader(batch_size):
    files = sorted(tf.io.gfile.glob("/scratch/uniref/part-*.tfrecord"))
    mine = files[RANK::WORLD]
    ds = tf.data.Dataset.from_tensor_slices(mine).shuffle(len(mine))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(100_000)
    ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(batch_size, ([512], []), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


resolver = tf.distribute.cluster_resolver.SlurmClusterResolver()
strategy = tf.distribute.MultiWorkerMirroredStrategy(cluster_resolver=resolver)
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(32, 64),
        tf.keras.layers.Conv1D(128, 7, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
train = strategy.distribute_datasets_from_function(lambda ctx: loader(64))
model.fit(train, epochs=10)
