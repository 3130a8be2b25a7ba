import tensorflow as tf
from tensorflow.data import AUTOTUNE


def input_options(deterministic):
    options = tf.data.Options()
    options.deterministic = deterministic
    options.autotune.enabled = False
    return options


class ImageData:
    def __init__(self, pattern, batch_size=128):
        self.pattern = pattern
        self.batch_size = batch_size

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        return tf.image.resize(image, (224, 224)), ex["label"]

    def get(self, training):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=training)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        if training:
            ds = ds.shuffle(10_000)
        ds = ds.map(self.parse, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(self.batch_size).prefetch(AUTOTUNE)
        return ds.with_options(input_options(deterministic=not training))


if __name__ == "__main__":
    model = tf.keras.applications.EfficientNetB0(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ImageData("/data/imagenet/train-*").get(True), epochs=10)
