import keras
import tensorflow as tf


class Styles:
    def __init__(self, content, style, size=256):
        self.size = size
        self.content = self._images(content)
        self.style = self._images(style)

    def _images(self, pattern):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(4, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def _load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (self.size, self.size)) / 255.0

    def batches(self):
        while True:
            content = next(iter(self.content))
            style = next(iter(self.style))
            yield tf.concat([content, style], axis=-1), content


a = keras.Input((256, 256, 6))
b = keras.layers.Conv2D(32, 3, padding="same", activation="relu")(a)
model = keras.Model(a, keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid")(b))
model.compile("adam", "mae")
model.fit(Styles("photos/*.jpg", "paintings/*.jpg").batches(), steps_per_epoch=500, epochs=10)
