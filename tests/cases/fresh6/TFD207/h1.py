import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([128], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(record, seed):
    f = tf.io.parse_single_example(record, SPEC)
    noise = tf.random.stateless_normal([128], seed=seed)
    return f["x"] + 0.1 * noise, f["y"]


files = tf.data.Dataset.list_files("/data/ecg/*.tfrecord", shuffle=False)
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
seeds = tf.data.Dataset.random(seed=11, rerandomize_each_iteration=True).batch(2)
ds = tf.data.Dataset.zip((ds.shuffle(20_000), seeds))
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(256).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=10)
