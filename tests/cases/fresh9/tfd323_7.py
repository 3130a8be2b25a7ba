"""Evaluate a trained classifier and write the confusion matrix."""
import argparse

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from sklearn.metrics import classification_report, confusion_matrix


def preprocess(image, label):
    image = tf.image.resize(tf.cast(image, tf.float32), [224, 224])
    return tf.keras.applications.resnet_v2.preprocess_input(image), label


def evaluate(model, dataset):
    y_true, y_pred = [], []
    for image, label in dataset:
        image = tf.expand_dims(image, axis=0)
        probabilities = model.predict(image, verbose=0)
        y_pred.append(int(np.argmax(probabilities[0])))
        y_true.append(int(label))
    return np.array(y_true), np.array(y_pred)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", required=True)
    parser.add_argument("--dataset", default="stanford_dogs")
    args = parser.parse_args()

    test, info = tfds.load(args.dataset, split="test", as_supervised=True, with_info=True)
    test = test.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE).prefetch(64)

    model = tf.keras.models.load_model(args.weights)
    y_true, y_pred = evaluate(model, test)
    names = info.features["label"].names
    print(classification_report(y_true, y_pred, target_names=names))
    np.save("confusion.npy", confusion_matrix(y_true, y_pred))


if __name__ == "__main__":
    main()
