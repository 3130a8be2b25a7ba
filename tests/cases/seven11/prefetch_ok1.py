import tensorflow as tf
from tensorflow.keras import layers


class BaseLoader:
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    def records(self, training):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=training)
        return files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )

    def finalize(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)

    def load(self, training):
        ds = self.records(training)
        if training:
            ds = ds.shuffle(20_000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class XRayLoader(BaseLoader):
    SPEC = {
        "png": tf.io.FixedLenFeature([], tf.string),
        "finding": tf.io.FixedLenFeature([14], tf.float32),
    }

    def parse(self, rec):
        f = tf.io.parse_single_example(rec, self.SPEC)
        img = tf.io.decode_png(f["png"], channels=1)
        return tf.image.resize(img, [256, 256]), f["finding"]

    def finalize(self, ds):
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return super().finalize(ds)


def main():
    train = XRayLoader("/data/cxr/train-*.tfrecord", 64).load(True)
    valid = XRayLoader("/data/cxr/valid-*.tfrecord", 64).load(False)
    model = tf.keras.Sequential([
        layers.Conv2D(32, 3, strides=2, activation="relu", input_shape=(256, 256, 1)),
        layers.Conv2D(64, 3, strides=2, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(14, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(multi_label=True)])
    model.fit(train, validation_data=valid, epochs=15)


if __name__ == "__main__":
    main()
