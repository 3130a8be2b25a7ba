import os

import tensorflow as tf


class BaseInput:
    def __init__(self, pattern, batch_size=256):
        self.pattern = pattern
        self.batch_size = batch_size

    def options(self):
        opts = tf.data.Options()
        opts.deterministic = False
        opts.threading.private_threadpool_size = os.cpu_count()
        return opts

    def parse(self, record):
        raise NotImplementedError

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE).with_options(self.options())


class LandmarkInput(BaseInput):
    def options(self):
        opts = super().options()
        opts.autotune.enabled = True
        return opts

    def parse(self, record):
        parsed = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "landmark": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(parsed["jpeg"], channels=3)
        return tf.image.resize(image, [256, 256]) / 255.0, parsed["landmark"]


def main():
    model = tf.keras.applications.ResNet50(
        weights=None, input_shape=(256, 256, 3), classes=14_951)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(LandmarkInput("/data/landmarks/train-*").build(), epochs=10)


if __name__ == "__main__":
    main()
