import tensorflow as tf

CONFIG = {
    "pattern": "gs://bucket/openimages/train-*.tfrecord",
    "side": 384,
    "buffer": 8192,
    "batch": 64,
}


class Reader:
    spec = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, config):
        self.config = config

    def _parse(self, record):
        f = tf.io.parse_single_example(record, self.spec)
        side = self.config["side"]
        pixels = tf.io.decode_jpeg(f["image/encoded"], channels=3)
        pixels = tf.image.resize(pixels, (side, side)) / 255.0
        return {"pixels": pixels, "label": f["image/label"]}

    def as_dataset(self):
        ds = tf.data.Dataset.list_files(self.config["pattern"])
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(self.config["buffer"], reshuffle_each_iteration=True)
        ds = ds.batch(self.config["batch"], drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


pixels = tf.keras.Input((384, 384, 3), name="pixels")
h = tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu")(pixels)
h = tf.keras.layers.GlobalAveragePooling2D()(h)
model = tf.keras.Model(pixels, tf.keras.layers.Dense(600)(h))
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
ds = Reader(CONFIG).as_dataset().map(lambda e: (e["pixels"], e["label"]), num_parallel_calls=tf.data.AUTOTUNE)
model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=5)
