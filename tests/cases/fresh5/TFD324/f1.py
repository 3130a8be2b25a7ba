import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([256], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


def make_dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).batch(256)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))

for epoch in range(50):
    train = make_dataset("/data/signal/train-*.tfrecord")
    history = model.fit(train, epochs=1)
    print(epoch, history.history["loss"][-1])
    if epoch % 10 == 9:
        model.save(f"/models/signal-{epoch}.keras")
