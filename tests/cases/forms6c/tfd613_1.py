import keras
import tensorflow as tf


class Experiment:
    def __init__(self, pattern, precision="mixed_float16"):
        self.pattern = pattern
        self.precision = precision
        self.model = self._build()

    def _build(self):
        inputs = keras.Input((224, 224, 3))
        x = keras.layers.Conv2D(64, 7, strides=2, activation="relu")(inputs)
        for width in (128, 256, 512):
            x = keras.layers.Conv2D(width, 3, strides=2, activation="relu")(x)
        x = keras.layers.GlobalAveragePooling2D()(x)
        return keras.Model(inputs, keras.layers.Dense(1000, dtype="float32")(x))

    def _configure(self):
        keras.mixed_precision.set_global_policy(self.precision)
        self.model.compile(
            keras.optimizers.SGD(0.1, momentum=0.9),
            keras.losses.SparseCategoricalCrossentropy(from_logits=True))

    def _decode(self, record):
        parsed = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(parsed["image"], channels=3)
        return tf.image.resize(image, [224, 224]) / 255.0, parsed["label"]

    def _data(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(10_000)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def run(self, epochs):
        self._configure()
        return self.model.fit(self._data(), epochs=epochs)


if __name__ == "__main__":
    Experiment("/imagenet/train-*").run(epochs=90)
