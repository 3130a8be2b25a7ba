import numpy as np
import tensorflow as tf
from sklearn.metrics import confusion_matrix


class Evaluator:
    def __init__(self, model, dataset):
        self.model = model
        self.dataset = dataset

    def collect(self):
        labels, preds = [], []
        for x, y in self.dataset:
            labels.append(y.numpy())
            preds.append(self.model.predict_on_batch(x).argmax(axis=1))
        return np.concatenate(labels), np.concatenate(preds)

    def confusion(self):
        return confusion_matrix(*self.collect())


def load_split(root, subset):
    return tf.keras.utils.image_dataset_from_directory(
        root, validation_split=0.2, subset=subset, seed=123, image_size=(180, 180), batch_size=32)


def main():
    train, valid = load_split("/data/pets", "training"), load_split("/data/pets", "validation")
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255), tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(len(train.class_names))])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=8)
    print(Evaluator(model, valid.prefetch(tf.data.AUTOTUNE)).confusion())


if __name__ == "__main__":
    main()
