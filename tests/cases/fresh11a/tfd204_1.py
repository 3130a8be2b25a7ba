import tensorflow as tf


class RecordSource:
    """Reads records and keeps statistics for the report."""

    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size
        self.examples_seen = 0

    def _parse(self, serialized):
        ex = tf.io.parse_single_example(serialized, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        self.examples_seen += 1
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [192, 192]) / 255.0, ex["label"]

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(25000)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    source = RecordSource("/data/birds/train-*.tfrecord", 96)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(192, 192, 3), weights=None, classes=200)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(source.build(), epochs=10)
    print("examples:", source.examples_seen)


if __name__ == "__main__":
    main()
