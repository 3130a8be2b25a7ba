import tensorflow as tf

COLUMNS = ["age", "income", "height", "weight", "pulse"]
SPEC = {name: tf.io.FixedLenFeature([1], tf.float32) for name in COLUMNS + ["target"]}


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    target = d.pop("target")
    return d, target


def training(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(20000).batch(512)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


inputs = {name: tf.keras.Input((1,), name=name) for name in COLUMNS}
x = tf.keras.layers.Concatenate()(list(inputs.values()))
x = tf.keras.layers.Dense(16, activation="relu")(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
model.compile("adam", "mse")
model.fit(training("people-*.rec"), epochs=10)
