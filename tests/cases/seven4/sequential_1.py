import pathlib

import keras
import tensorflow as tf


class Retina:
    CLASSES = 5

    def __init__(self, root, labels, *, crop=384, batch=24):
        self.root = pathlib.Path(root)
        self.labels = labels
        self.crop = crop
        self.batch = batch

    @property
    def map_options(self):
        return {"deterministic": False}

    @property
    def pairs(self):
        names = sorted(self.labels)
        return [str(self.root / f"{n}.jpeg") for n in names], [self.labels[n] for n in names]

    def fundus(self, path, grade):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.crop + 64, self.crop + 64))
        image = tf.image.random_crop(image, (self.crop, self.crop, 3))
        image = tf.image.random_flip_up_down(tf.image.random_flip_left_right(image))
        return image / 255.0, grade

    def dataset(self):
        paths, grades = self.pairs
        ds = tf.data.Dataset.from_tensor_slices((paths, grades)).shuffle(len(paths))
        ds = ds.map(self.fundus, **self.map_options)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


def read_labels(path):
    with open(path) as handle:
        next(handle)
        return {name: int(level) for name, level in (line.strip().split(",") for line in handle)}


if __name__ == "__main__":
    data = Retina("/data/eyepacs/train", read_labels("/data/eyepacs/trainLabels.csv"))
    model = keras.applications.DenseNet121(weights=None, classes=Retina.CLASSES, input_shape=(384, 384, 3))
    model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.dataset(), epochs=50, callbacks=[keras.callbacks.ModelCheckpoint("retina.keras")])
