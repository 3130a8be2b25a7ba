import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


class RecordDataset:
    def __init__(self, pattern, batch_size=64, size=224):
        self.pattern = pattern
        self.batch_size = batch_size
        self.size = size

    def decode(self, record):
        ex = tf.io.parse_single_example(record, FEATURES)
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(image, [self.size, self.size]) / 255.0, ex["label"]

    def build(self):
        files = tf.io.gfile.glob(self.pattern)
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size)


class TrainDataset(RecordDataset):
    def __init__(self, *args, shuffle_buffer=1000, **kwargs):
        super().__init__(*args, **kwargs)
        self.shuffle_buffer = shuffle_buffer

    def decode(self, record):
        image, label = super().decode(record)
        return tf.image.random_flip_left_right(image), label

    def build(self):
        ds = super().build()
        ds = ds.shuffle(self.shuffle_buffer)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    train = TrainDataset("/data/plantvillage/train-*.tfrecord").build()
    valid = RecordDataset("/data/plantvillage/valid-*.tfrecord").build()
    model = tf.keras.applications.DenseNet121(weights=None, classes=38)
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train, validation_data=valid, epochs=50)


if __name__ == "__main__":
    main()
