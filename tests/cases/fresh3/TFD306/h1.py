import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([16], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(records):
    return tf.io.parse_example(records, SPEC)


def known(d):
    return d["y"] >= 0


files = sorted(tf.io.gfile.glob("sensors-*.rec"))
train = tf.data.TFRecordDataset(files)
train = train.batch(1024)
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
train = train.unbatch()
train = train.filter(known)
train = train.shuffle(50000)
train = train.batch(64)
train = train.map(lambda d: (d["x"], d["y"]), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(8, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=12)
