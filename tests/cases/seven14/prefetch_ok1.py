"""Base class for vision inputs; a subclass only describes its elements."""
import abc
import tensorflow as tf


class InputBase(abc.ABC):
    buffer = 4096

    def __init__(self, batch_size, training):
        self.batch_size = batch_size
        self.training = training

    @abc.abstractmethod
    def elements(self):
        """Decoded examples."""

    def augment(self, images, labels):
        return images, labels

    def finalize(self, ds):
        return ds.prefetch(tf.data.AUTOTUNE)

    def __call__(self):
        ds = self.elements()
        if self.training:
            ds = ds.shuffle(self.buffer)
        ds = ds.batch(self.batch_size, drop_remainder=self.training)
        if self.training:
            ds = ds.map(self.augment, num_parallel_calls=tf.data.AUTOTUNE)
        return self.finalize(ds)


class FlipMixin:
    def augment(self, images, labels):
        images, labels = super().augment(images, labels)
        return tf.image.random_flip_left_right(images), labels


class XRayInput(FlipMixin, InputBase):
    SPEC = {"jpeg": tf.io.FixedLenFeature([], tf.string),
            "findings": tf.io.FixedLenFeature([14], tf.float32)}

    def _parse(self, raw):
        ex = tf.io.parse_single_example(raw, self.SPEC)
        img = tf.io.decode_jpeg(ex["jpeg"], channels=1)
        return tf.image.resize(img, [320, 320]), ex["findings"]

    def elements(self):
        part = "train" if self.training else "valid"
        files = tf.data.Dataset.list_files(f"/data/cxr/{part}-*.tfrecord", shuffle=self.training)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE).cache(f"/scratch/cxr-{part}")


def main():
    inputs = tf.keras.Input((320, 320, 1))
    x = tf.keras.layers.Conv2D(3, 1)(inputs)
    x = tf.keras.applications.DenseNet121(include_top=False, weights=None, pooling="avg")(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(14)(x))
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(XRayInput(48, True)(), validation_data=XRayInput(48, False)(), epochs=12)


if __name__ == "__main__":
    main()
