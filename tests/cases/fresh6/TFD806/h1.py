import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="my-tpu")
tf.config.experimental_connect_to_cluster(resolver)
tf.tpu.experimental.initialize_tpu_system(resolver)
strategy = tf.distribute.TPUStrategy(resolver)
BUCKET = "gs://my-bucket"
SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files(BUCKET + "/ads/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(64 * strategy.num_replicas_in_sync, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(40),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=3)
