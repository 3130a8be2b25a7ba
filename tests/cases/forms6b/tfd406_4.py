import functools

import numpy as np
import tensorflow as tf


class EventTrainer:
    """Events with too few hits are dropped, so the number of steps is not known in advance."""

    FEATURES = {
        "hits": tf.io.FixedLenFeature([200, 4], tf.float32),
        "num_hits": tf.io.FixedLenFeature([], tf.int64),
        "label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, files, batch_size=256, epochs=25):
        self.files = files
        self.batch_size = batch_size
        self.epochs = epochs

    def _parse(self, record):
        return tf.io.parse_single_example(record, self.FEATURES)

    @functools.cached_property
    def events(self):
        ds = tf.data.TFRecordDataset(self.files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.filter(lambda row: row["num_hits"] >= 8)

    @functools.cached_property
    def num_events(self):
        return int(self.events.reduce(np.int64(0), lambda n, _: n + 1))

    def dataset(self):
        ds = self.events.map(lambda row: (row["hits"], row["label"]), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)

    def run(self):
        steps = -(-self.num_events // self.batch_size)
        schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, decay_steps=steps * self.epochs)
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.GlobalMaxPooling1D(),
            tf.keras.layers.Dense(2, activation="softmax"),
        ])
        model.compile(tf.keras.optimizers.Adam(schedule), "sparse_categorical_crossentropy")
        model.fit(self.dataset(), epochs=self.epochs)


if __name__ == "__main__":
    EventTrainer(sorted(tf.io.gfile.glob("/data/events/*.tfrecord"))).run()
