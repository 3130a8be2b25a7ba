import tensorflow as tf

COLUMNS = ["age", "income", "height", "weight", "pulse", "target"]
SPEC = {name: tf.io.FixedLenFeature([], tf.float32) for name in COLUMNS}


def parse(batch):
    return tf.io.parse_example(batch, SPEC)


def select(d):
    return tf.stack([d["age"], d["income"]], axis=1), d["target"]


def training(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20000).batch(512)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(select, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(training("people-*.rec"), epochs=10)
