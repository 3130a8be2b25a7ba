import tensorflow as tf
import tensorflow_datasets as tfds
from sklearn.metrics import classification_report


class Report:
    def __init__(self, model, split="test", batch_size=128):
        self.model = model
        ds, info = tfds.load("cifar10", split=split, as_supervised=True, with_info=True)
        self.names = info.features["label"].names
        self.data = ds.shuffle(2048).batch(batch_size).prefetch(tf.data.AUTOTUNE)

    def collect(self):
        truth, answers = [], []
        for images, labels in self.data:
            scores = self.model.predict_on_batch(tf.cast(images, tf.float32))
            truth.extend(labels.numpy())
            answers.extend(scores.argmax(axis=-1))
        return truth, answers

    def text(self):
        truth, answers = self.collect()
        return classification_report(truth, answers, target_names=self.names)


report = Report(tf.keras.models.load_model("cifar.keras"))
print(report.text())
