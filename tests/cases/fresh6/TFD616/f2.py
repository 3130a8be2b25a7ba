import tensorflow as tf
from tensorflow.data import experimental

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


class Input:
    device = "/gpu:0"

    def __init__(self, pattern):
        self.pattern = pattern

    def on_device(self, ds):
        return ds.apply(experimental.prefetch_to_device(self.device, buffer_size=2))

    def dataset(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(50_000).batch(512, drop_remainder=True)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return self.on_device(ds).repeat()


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(40),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Input("/data/ads/*.tfrecord").dataset(), steps_per_epoch=1000, epochs=3)
