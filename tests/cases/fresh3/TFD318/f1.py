from functools import partial

import tensorflow as tf

SPEC = dict(
    query=tf.io.FixedLenFeature([16], tf.int64),
    document=tf.io.FixedLenFeature([64], tf.int64),
    relevance=tf.io.FixedLenFeature([], tf.float32),
    clicks=tf.io.VarLenFeature(tf.int64),
    url=tf.io.FixedLenFeature([], tf.string),
    raw_html=tf.io.FixedLenFeature([], tf.string),
)
parse = partial(tf.io.parse_example, features=SPEC)


def to_xy(f):
    return (f["query"], f["document"]), f["relevance"]


files = tf.data.Dataset.list_files("ranking-*.rec")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(10000).batch(256)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).map(to_xy, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

q = tf.keras.Input((16,), dtype="int64")
d = tf.keras.Input((64,), dtype="int64")
emb = tf.keras.layers.Embedding(50000, 64)
pool = tf.keras.layers.GlobalAveragePooling1D()
model = tf.keras.Model([q, d], tf.keras.layers.Dot(axes=1)([pool(emb(q)), pool(emb(d))]))
model.compile("adam", "mse")
model.fit(ds, epochs=3)
