import tensorflow as tf


class SmokeTest:
    steps_per_epoch = 100
    epochs = 3

    def __init__(self, pattern):
        self.pattern = pattern

    def parse(self, record):
        example = tf.io.parse_single_example(record, {
            "tokens": tf.io.FixedLenFeature([64], tf.int64),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        return example["tokens"], example["label"]

    def data(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(5000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(16).take(50).prefetch(tf.data.AUTOTUNE)

    def run(self):
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(30_000, 32),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(4, activation="softmax"),
        ])
        model.compile("adam", "sparse_categorical_crossentropy")
        model.fit(self.data(), epochs=self.epochs, steps_per_epoch=self.steps_per_epoch)


SmokeTest("news/*.tfrecord").run()
