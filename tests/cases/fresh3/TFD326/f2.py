from functools import partial

import tensorflow as tf

READERS = {
    "serial": tf.data.TFRecordDataset,
    "parallel": partial(tf.data.TFRecordDataset, num_parallel_reads=16, buffer_size=1 << 20),
}


class Training:
    spec = {"z": tf.io.FixedLenFeature([200], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, files, reader):
        self.files = files
        self.reader = reader

    def parse(self, records):
        item = tf.io.parse_example(records, self.spec)
        return item["z"], item["y"]

    def dataset(self, batch, buffer=65536):
        ds = self.reader(self.files)
        ds = ds.shuffle(buffer).batch(batch, drop_remainder=True)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


training = Training(tf.io.gfile.glob("latents/*.rec"), READERS["parallel"])
model = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(1000, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(training.dataset(512), epochs=4)
