import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([32], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    return d["x"], d["y"]


options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA

strategy = tf.distribute.MirroredStrategy()
files = tf.data.Dataset.list_files("steel-*.rec")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(20000).batch(64 * strategy.num_replicas_in_sync)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE).with_options(options)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(6, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
