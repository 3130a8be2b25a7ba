import tensorflow as tf
from tensorflow.data.experimental import AUTOTUNE as AUTO

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


class Ads:
    def __init__(self, pattern):
        self.pattern = pattern

    def parse(self, batch):
        f = tf.io.parse_example(batch, SPEC)
        return f["x"], f["y"]

    def dataset(self, size):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
        ds = ds.shuffle(50_000).batch(size)
        return ds.map(self.parse, num_parallel_calls=AUTO).prefetch(AUTO)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Ads("/data/ads/*.tfrecord").dataset(512), epochs=3)
