import tensorflow as tf


class InputPipeline:
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    def parse(self, raw):
        raise NotImplementedError

    def records(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        return ds.interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)

    def examples(self):
        ds = self.records()
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).cache()

    def build(self):
        ds = self.examples().shuffle(10000).batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)


class SatellitePipeline(InputPipeline):
    SPEC = {
        "tile": tf.io.FixedLenFeature([], tf.string),
        "cls": tf.io.FixedLenFeature([], tf.int64),
    }

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, self.SPEC)
        tile = tf.io.decode_png(ex["tile"], channels=3, dtype=tf.uint16)
        tile = tf.image.resize(tf.cast(tile, tf.float32), (256, 256)) / 65535.0
        return tf.image.adjust_gamma(tile, 0.45), ex["cls"]

    def examples(self):
        ds = self.records().cache()
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    pipeline = SatellitePipeline("/data/eurosat/train-*.tfrecord", 256)
    with strategy.scope():
        model = tf.keras.applications.DenseNet121(
            weights=None, input_shape=(256, 256, 3), classes=10)
        model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(pipeline.build(), epochs=80)


if __name__ == "__main__":
    main()
