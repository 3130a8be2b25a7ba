import numpy as np
import tensorflow as tf

SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


class Augmenter:
    def __init__(self, strength, seed=0):
        self.strength = strength
        self.rng = np.random.default_rng(seed)

    def shade(self, image):
        factor = self.rng.uniform(1 - self.strength, 1 + self.strength)
        return tf.clip_by_value(image * factor, 0.0, 1.0)

    def __call__(self, record):
        f = tf.io.parse_single_example(record, SPEC)
        image = tf.io.decode_png(f["png"], channels=3)
        image = tf.image.resize(image, (96, 96)) / 255.0
        return self.shade(image), f["label"]


files = tf.data.Dataset.list_files("/data/stl/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(5000).map(Augmenter(0.3), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
