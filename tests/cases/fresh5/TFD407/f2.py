import tensorflow as tf

FIT = dict(epochs=25, validation_split=0.1)


def dataset(pattern):
    spec = {"x": tf.io.FixedLenFeature([20], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}

    def parse(batch):
        f = tf.io.parse_example(batch, spec)
        return f["x"], f["y"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).batch(256)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def build():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    return model


train_data = dataset("/data/churn/*.tfrecord")
model = build()
model.fit(train_data, **FIT)
