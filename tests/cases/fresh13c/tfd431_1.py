"""Galaxy morphology: data module and a subclassed model with a stem that rescales."""
import tensorflow as tf


class GalaxyData:
    def __init__(self, pattern, side=160, batch=128):
        self.pattern, self.side, self.batch = pattern, side, batch

    def _record(self, raw):
        ex = tf.io.parse_single_example(raw, {"png": tf.io.FixedLenFeature([], tf.string),
                                              "votes": tf.io.FixedLenFeature([37], tf.float32)})
        image = tf.image.resize(tf.io.decode_png(ex["png"], channels=3), [self.side, self.side])
        return image, ex["votes"]

    def _unit(self, image, votes):
        return image / 255.0, votes

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(8192).map(self._record, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch, drop_remainder=True).map(self._unit, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class Stem(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.scale = tf.keras.layers.Rescaling(1.0 / 255)
        self.conv = tf.keras.layers.Conv2D(width, 7, strides=2, padding="same", activation="relu")

    def call(self, x):
        return self.conv(self.scale(x))


class Morphology(tf.keras.Model):
    def __init__(self, outputs=37):
        super().__init__()
        self.stem = Stem(32)
        self.stages = [tf.keras.layers.Conv2D(w, 3, strides=2, padding="same", activation="relu")
                       for w in (64, 128, 256)]
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(outputs, activation="sigmoid")

    def call(self, x):
        x = self.stem(x)
        for s in self.stages:
            x = s(x)
        return self.head(self.pool(x))


if __name__ == "__main__":
    net = Morphology()
    net.compile("adam", "mse")
    net.fit(GalaxyData("/data/galaxyzoo/train-*.tfrecord").train(), epochs=30)
