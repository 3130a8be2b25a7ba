import keras
import tensorflow as tf
from keras import layers

keras.config.set_image_data_format("channels_first")
keras.mixed_precision.set_global_policy("mixed_float16")


class MelanomaData:
    SPEC = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "target": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, pattern, size=256, batch_size=64):
        self.pattern, self.size, self.batch_size = pattern, size, batch_size

    def read(self, rec):
        ex = tf.io.parse_single_example(rec, self.SPEC)
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.resize(img, (self.size, self.size), antialias=True), ex["target"]

    def collate(self, images, targets):
        return tf.transpose(images, (0, 3, 1, 2)) / 255.0, targets

    def dataset(self, training):
        ds = tf.data.TFRecordDataset(
            tf.io.gfile.glob(self.pattern), num_parallel_reads=tf.data.AUTOTUNE
        )
        if training:
            ds = ds.shuffle(4096)
        return (
            ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.batch_size, drop_remainder=training)
            .map(self.collate, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE)
        )


def build():
    return keras.Sequential([
        keras.Input((3, 256, 256)),
        layers.Conv2D(32, 3, strides=2, activation="relu"),
        layers.BatchNormalization(axis=1),
        layers.Conv2D(64, 3, strides=2, activation="relu"),
        layers.BatchNormalization(axis=1),
        layers.MaxPooling2D(),
        layers.Conv2D(128, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(1, dtype="float32"),
    ])


def main():
    root = "/kaggle/input/melanoma-256x256"
    model = build()
    model.compile("adam", keras.losses.BinaryCrossentropy(from_logits=True), metrics=[keras.metrics.AUC()])
    model.fit(
        MelanomaData(f"{root}/train0*.tfrec").dataset(True),
        validation_data=MelanomaData(f"{root}/train1*.tfrec").dataset(False),
        epochs=15,
    )


if __name__ == "__main__":
    main()
