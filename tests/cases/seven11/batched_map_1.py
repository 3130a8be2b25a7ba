import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras import layers


class FashionDataModule:
    n_classes = 10

    def __init__(self, batch_size=256, buffer=60_000):
        self.batch_size = batch_size
        self.buffer = buffer

    def setup(self):
        self.splits, self.info = tfds.load(
            "fashion_mnist", split={"fit": "train", "test": "test"}, as_supervised=True, with_info=True
        )

    def preprocess(self, image, label):
        image = tf.cast(image, tf.float32) / 255.0
        image = (image - 0.2860) / 0.3530
        return image, tf.one_hot(label, self.n_classes)

    def _stage(self, name):
        ds = self.splits[name].cache()
        if name == "fit":
            ds = ds.shuffle(self.buffer)
        ds = ds.map(self.preprocess, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=name == "fit")
        return ds.prefetch(tf.data.AUTOTUNE)

    def train_dataloader(self):
        return self._stage("fit")

    def test_dataloader(self):
        return self._stage("test")


def main():
    dm = FashionDataModule()
    dm.setup()
    model = tf.keras.Sequential([
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPool2D(),
        layers.Conv2D(64, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(dm.n_classes, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(dm.train_dataloader(), validation_data=dm.test_dataloader(), epochs=20)


if __name__ == "__main__":
    main()
