import sqlite3

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
DB = "/data/quotes.sqlite"
SIG = (tf.TensorSpec((60, 5), tf.float32), tf.TensorSpec((), tf.float32))


def windows():
    con = sqlite3.connect(DB)
    try:
        for blob, target in con.execute("SELECT window, target FROM samples ORDER BY RANDOM()"):
            yield np.frombuffer(blob, np.float32).reshape(60, 5), target
    finally:
        con.close()


def dataset_fn(ctx):
    ds = tf.data.Dataset.from_generator(windows, output_signature=SIG)
    ds = ds.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    ds = ds.batch(ctx.get_per_replica_batch_size(1024), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


dist_ds = strategy.distribute_datasets_from_function(dataset_fn)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.LSTM(128), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(dist_ds, epochs=10)
