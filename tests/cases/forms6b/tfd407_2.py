import numpy as np
import tensorflow as tf


class WeightedTrainer:
    """Rare species count more than common ones."""

    def __init__(self, paths, labels, num_classes):
        self.paths = np.asarray(paths)
        self.labels = np.asarray(labels, "int32")
        self.num_classes = num_classes

    def _decode(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [224, 224]), label

    def _weights(self):
        counts = np.bincount(self.labels, minlength=self.num_classes)
        per_class = len(self.labels) / (self.num_classes * np.maximum(counts, 1))
        return per_class[self.labels].astype("float32")

    def _dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        ds = ds.shuffle(len(self.paths), seed=5)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(32).prefetch(tf.data.AUTOTUNE)

    def _model(self):
        base = tf.keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg")
        return tf.keras.Sequential([
            tf.keras.layers.Rescaling(1 / 127.5, offset=-1),
            base,
            tf.keras.layers.Dense(self.num_classes, activation="softmax"),
        ])

    def fit(self, epochs=10):
        model = self._model()
        model.compile("adam", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
        model.fit(
            self._dataset(),
            sample_weight=self._weights(),
            epochs=epochs,
        )
        return model


def main():
    table = np.genfromtxt("/data/inat/train.csv", delimiter=",", dtype=None, encoding="utf-8")
    trainer = WeightedTrainer([r[0] for r in table], [r[1] for r in table], num_classes=810)
    trainer.fit().save("species.keras")


if __name__ == "__main__":
    main()
