"""Order of the input stages is part of the experiment's JSON."""
import json

import tensorflow as tf

EXPERIMENT = json.loads("""
{
  "data": "/data/leaves/train-*.tfrecord",
  "order": ["read", "cache", "decode", "shuffle", "augment", "batch", "prefetch"],
  "shuffle": 9000,
  "batch": 64,
  "epochs": 50
}
""")


class Stages:
    spec = {"jpg": tf.io.FixedLenFeature([], tf.string),
            "y": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, settings):
        self.settings = settings

    def read(self, ds):
        return ds.interleave(tf.data.TFRecordDataset, cycle_length=8,
                             num_parallel_calls=tf.data.AUTOTUNE)

    def cache(self, ds):
        return ds.cache()

    def decode(self, ds):
        def fn(record):
            row = tf.io.parse_single_example(record, self.spec)
            image = tf.io.decode_jpeg(row["jpg"], channels=3)
            image = tf.image.resize_with_pad(image, 192, 192, antialias=True)
            return tf.cast(image, tf.uint8), row["y"]
        return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)

    def shuffle(self, ds):
        return ds.shuffle(self.settings["shuffle"])

    def augment(self, ds):
        return ds.map(lambda x, y: (tf.image.random_flip_up_down(x), y),
                      num_parallel_calls=tf.data.AUTOTUNE)

    def batch(self, ds):
        return ds.batch(self.settings["batch"], drop_remainder=True)

    def prefetch(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)

    def assemble(self):
        ds = tf.data.Dataset.list_files(self.settings["data"], shuffle=False)
        for name in self.settings["order"]:
            ds = getattr(self, name)(ds)
        return ds


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255),
        tf.keras.layers.Conv2D(32, 3, 2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, 2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(38, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(Stages(EXPERIMENT).assemble(), epochs=EXPERIMENT["epochs"])
