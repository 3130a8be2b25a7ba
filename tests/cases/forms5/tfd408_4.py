import pathlib

import tensorflow as tf


class PetsDataModule:
    def __init__(self, root, size=160, batch_size=32):
        self.root = pathlib.Path(root)
        self.size = size
        self.batch_size = batch_size
        self.classes = sorted(p.name for p in (self.root / "train").iterdir())

    def _load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (self.size, self.size)) / 255.0, label

    def _dataset(self, split):
        paths, labels = [], []
        for index, name in enumerate(self.classes):
            for path in sorted((self.root / split / name).glob("*.jpg")):
                paths.append(str(path))
                labels.append(index)
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.map(self._load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def train_dataset(self):
        return self._dataset("train")

    def valid_dataset(self):
        return self._dataset("valid")


data = PetsDataModule("/data/pets")
model = tf.keras.applications.MobileNetV3Small(
    (160, 160, 3), weights=None, classes=len(data.classes))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data.train_dataset(), validation_data=data.valid_dataset(), epochs=40)
