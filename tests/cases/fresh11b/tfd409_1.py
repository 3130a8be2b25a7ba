import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report


class Evaluator:
    def __init__(self, model, dataset):
        self.model = model
        self.dataset = dataset

    def labels(self):
        return np.concatenate([np.asarray(y) for _, y in self.dataset.as_numpy_iterator()])

    def predictions(self):
        return self.model.predict(self.dataset, verbose=0).argmax(axis=1)

    def report(self, names):
        return classification_report(self.labels(), self.predictions(), target_names=names)


def load_split(root, subset):
    return tf.keras.utils.image_dataset_from_directory(
        root, validation_split=0.2, subset=subset, seed=123, image_size=(180, 180), batch_size=32)


def main():
    train = load_split("/data/pets", "training")
    valid = load_split("/data/pets", "validation")
    names = train.class_names
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255), tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(), tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(len(names))])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=8)
    print(Evaluator(model, valid.prefetch(tf.data.AUTOTUNE)).report(names))


if __name__ == "__main__":
    main()
