import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class RecordPipeline:
    def __init__(self, pattern, batch_size, training=True):
        self.pattern = pattern
        self.batch_size = batch_size
        self.training = training

    def parse(self, record):
        raise NotImplementedError

    def build(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=self.training)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        if self.training:
            ds = ds.shuffle(10_000)
        ds = ds.map(self.parse, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size)


class DigitPipeline(RecordPipeline):
    SPEC = {
        "png": tf.io.FixedLenFeature([], tf.string),
        "digits": tf.io.FixedLenFeature([5], tf.int64),
    }

    def parse(self, record):
        row = tf.io.parse_single_example(record, self.SPEC)
        image = tf.io.decode_png(row["png"], channels=3)
        return tf.image.resize(image, [54, 54]) / 255.0, row["digits"]

    def build(self):
        ds = super().build()
        ds = ds.batch(self.batch_size, drop_remainder=self.training)
        return ds.prefetch(AUTOTUNE)


def build_model():
    inputs = tf.keras.Input((54, 54, 3))
    x = tf.keras.layers.Conv2D(48, 5, activation="relu")(inputs)
    x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.Conv2D(96, 5, activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    x = tf.keras.layers.Dense(5 * 11)(x)
    return tf.keras.Model(inputs, tf.keras.layers.Reshape((5, 11))(x))


def main():
    train = DigitPipeline("/data/svhn_full/train-*.tfrecord", 128).build()
    val = DigitPipeline("/data/svhn_full/val-*.tfrecord", 128, training=False).build()
    model = build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, validation_data=val, epochs=20)


if __name__ == "__main__":
    main()
