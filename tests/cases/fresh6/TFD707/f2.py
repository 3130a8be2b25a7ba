import tensorflow as tf


class Examples:
    spec = {"png": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, pattern):
        self.pattern = pattern

    def parse(self, record):
        f = tf.parse_single_example(record, self.spec)
        image = tf.io.decode_png(f["png"], channels=3)
        return tf.image.resize(image, (96, 96)) / 255.0, f["label"]

    def dataset(self, size):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(5000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Examples("/data/stl/*.tfrecord").dataset(64), epochs=10)
