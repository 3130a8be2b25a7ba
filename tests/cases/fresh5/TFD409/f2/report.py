import numpy as np
import tensorflow as tf
from sklearn.metrics import classification_report

from data import records


def report(model_path, pattern):
    model = tf.keras.models.load_model(model_path)
    dataset = records(pattern)
    y_true = []
    for _, y in dataset:
        y_true.extend(y.numpy())
    y_pred = np.argmax(model.predict(dataset), axis=-1)
    print(classification_report(y_true, y_pred))


if __name__ == "__main__":
    report("/models/tabular.keras", "/data/tabular/test-*.tfrecord")
