import logging

import tensorflow as tf

log = logging.getLogger(__name__)


class RecordSource:
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size
        self.stages = []
        self.examples_seen = 0

    def _parse(self, serialized):
        ex = tf.io.parse_single_example(serialized, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [192, 192]) / 255.0, ex["label"]

    def _stage(self, name, ds):
        log.info("%s: %s", name, ds.element_spec)
        self.stages.append(name)
        return ds

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = self._stage("read", ds.shuffle(25000))
        ds = self._stage("parse", ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def __iter__(self):
        for images, labels in self.build():
            self.examples_seen += int(tf.shape(images)[0])
            yield images, labels


def main():
    source = RecordSource("/data/birds/train-*.tfrecord", 96)
    model = tf.keras.applications.MobileNetV2(
        input_shape=(192, 192, 3), weights=None, classes=200)
    model.compile("adam", "sparse_categorical_crossentropy")
    for images, labels in source:
        model.train_on_batch(images, labels)
    print("examples:", source.examples_seen)


if __name__ == "__main__":
    main()
