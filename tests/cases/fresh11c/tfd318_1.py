import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/filename": tf.io.FixedLenFeature([], tf.string, ""),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    "image/object/mask": tf.io.VarLenFeature(tf.string),
}


class RecordReader:
    def __init__(self, pattern, image_size=224):
        self.pattern = pattern
        self.image_size = image_size

    def parse(self, serialized):
        parsed = tf.io.parse_single_example(serialized, FEATURES)
        image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
        image = tf.image.resize(image, (self.image_size, self.image_size))
        return image, parsed["image/class/label"] - 1

    def __call__(self, batch_size, training):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=training)
        ds = files.interleave(tf.data.TFRecordDataset,
                              num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.shuffle(8192)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    train = RecordReader("/data/imagenet/train-*")(256, True)
    model = tf.keras.applications.EfficientNetB0(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main()
