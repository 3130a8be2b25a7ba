import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([32], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
BATCH = 128


def parse(batch):
    d = tf.io.parse_example(batch, SPEC)
    return d["x"], d["y"]


records = tf.data.TFRecordDataset(sorted(tf.io.gfile.glob("valves-*.rec")))
size = int(records.reduce(0, lambda n, _: n + 1))
ds = records.shuffle(20000).repeat().batch(BATCH)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(5, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, steps_per_epoch=size // BATCH, epochs=10)
