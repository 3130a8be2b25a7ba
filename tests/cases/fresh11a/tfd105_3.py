import os

import tensorflow as tf


class RecordInput:
    extension = ".tfrecord"
    reader_options = {"buffer_size": 16 << 20}

    def __init__(self, folder, batch_size):
        self.folder = folder
        self.batch_size = batch_size

    def paths(self):
        return sorted(os.path.join(self.folder, n) for n in os.listdir(self.folder)
                      if n.endswith(self.extension))

    def source(self):
        return tf.data.TFRecordDataset(self.paths(), **self.reader_options)

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [224, 224]), ex["label"]

    def __call__(self, training):
        ds = self.source()
        if training:
            ds = ds.shuffle(50000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


class ParallelInput(RecordInput):
    reader_options = {"num_parallel_reads": tf.data.AUTOTUNE}


if __name__ == "__main__":
    train = ParallelInput("/data/flowers/train", 128)(training=True)
    valid = ParallelInput("/data/flowers/valid", 128)(training=False)
    model = tf.keras.applications.MobileNetV2(weights=None, classes=102)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, validation_data=valid, epochs=30)
