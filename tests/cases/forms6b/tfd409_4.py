import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report

AUTOTUNE = tf.data.AUTOTUNE


class XrayExperiment:
    def __init__(self, root, image_size=(256, 256), batch_size=32):
        self.root = root
        self.image_size = image_size
        self.batch_size = batch_size
        self.class_names = None

    def load(self, split):
        ds = tf.keras.utils.image_dataset_from_directory(
            f"{self.root}/{split}",
            image_size=self.image_size,
            batch_size=self.batch_size,
            shuffle=split == "train",
        )
        self.class_names = ds.class_names
        return ds.prefetch(AUTOTUNE)

    def build(self):
        base = tf.keras.applications.DenseNet121(include_top=False, weights=None, pooling="avg")
        self.model = tf.keras.Sequential([
            tf.keras.layers.Rescaling(1 / 255.0),
            base,
            tf.keras.layers.Dense(len(self.class_names), activation="softmax"),
        ])
        self.model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])

    def labels(self, ds):
        return np.concatenate([y.numpy() for _, y in ds])

    def predictions(self, ds):
        return self.model.predict(ds).argmax(axis=-1)

    def report(self):
        test = self.load("test")
        return classification_report(
            self.labels(test), self.predictions(test), target_names=self.class_names
        )

    def train_confusion(self, train):
        # The training rows are shuffled, so both columns come from the same pass.
        rows = [(y.numpy(), self.model.predict_on_batch(x).argmax(-1)) for x, y in train]
        y_true, y_pred = (np.concatenate(column) for column in zip(*rows))
        return tf.math.confusion_matrix(y_true, y_pred)


def main():
    experiment = XrayExperiment("/data/chest_xray")
    train, val = experiment.load("train"), experiment.load("val")
    experiment.build()
    experiment.model.fit(train, validation_data=val, epochs=10)
    print(experiment.train_confusion(train))
    print(experiment.report())


if __name__ == "__main__":
    main()
