import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([300], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = sorted(tf.io.gfile.glob("/data/products/train-*.tfrecord"))
train = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
train = train.batch(256)
train = train.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(512, activation="relu"),
    tf.keras.layers.Dense(100),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=20)
