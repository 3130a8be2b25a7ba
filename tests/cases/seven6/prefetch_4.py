import pathlib

import tensorflow as tf
from tensorflow import keras


class PipelineBuilder:
    """Builds the tf.data pipelines of the defect detector."""

    def __init__(self, root, image_size=256):
        self._root = pathlib.Path(root)
        self._size = image_size
        self._ds = None

    def read(self, split):
        good = sorted(str(p) for p in (self._root / split / "good").glob("*.png"))
        bad = sorted(str(p) for p in (self._root / split / "defect").glob("*.png"))
        paths, labels = good + bad, [0] * len(good) + [1] * len(bad)
        self._ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        self._ds = self._ds.shuffle(len(paths))
        return self

    def decode(self):
        def _load(path, label):
            img = tf.io.decode_png(tf.io.read_file(path), channels=1)
            img = tf.image.resize(img, (self._size, self._size))
            return img / 255.0, tf.cast(label, tf.float32)

        self._ds = self._ds.map(_load, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def augment(self):
        def _jitter(img, label):
            img = tf.image.random_flip_up_down(tf.image.random_flip_left_right(img))
            return tf.image.random_brightness(img, 0.1), label

        self._ds = self._ds.map(_jitter, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def batch(self, size):
        self._ds = self._ds.batch(size)
        return self

    def build(self):
        return self._ds


if __name__ == "__main__":
    train = PipelineBuilder("/mnt/aoi/2020_11").read("train").decode().augment().batch(48).build()
    model = keras.Sequential([
        keras.applications.EfficientNetB0(include_top=False, weights=None,
                                          input_shape=(256, 256, 1), pooling="avg"),
        keras.layers.Dropout(0.3),
        keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(keras.optimizers.Adam(3e-4), "binary_crossentropy", ["AUC"])
    model.fit(train, epochs=60,
              callbacks=[keras.callbacks.ModelCheckpoint("aoi.h5", monitor="loss")])
