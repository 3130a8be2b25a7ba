import tensorflow as tf


class ClickData:
    spec = {
        "user": tf.io.FixedLenFeature([32], tf.float32),
        "item": tf.io.FixedLenFeature([32], tf.float32),
        "click": tf.io.FixedLenFeature([], tf.float32),
    }

    def parse(self, batch):
        f = tf.io.parse_example(batch, self.spec)
        return {"vectors": tf.concat([f["user"], f["item"]], -1), "click": f["click"]}

    def split(self, vectors, click):
        return tf.math.l2_normalize(vectors, -1), click

    def dataset(self, pattern, batch_size=1024):
        files = tf.data.Dataset.list_files(pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(100_000).batch(batch_size)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.split, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(ClickData().dataset("/data/clicks/*.tfrecord"), epochs=3)
