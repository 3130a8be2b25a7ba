"""Trainer of a skin lesion classifier."""
import os

import tensorflow as tf


class Trainer:
    def __init__(self, model, fit_options=None):
        self.model = model
        self.fit_options = {"epochs": 60, "verbose": 2}
        self.fit_options.update(fit_options or {})

    @staticmethod
    def _decode(path):
        label = tf.strings.split(path, os.sep)[-2] == "melanoma"
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [260, 260]), tf.cast(label, tf.float32)

    def train_data(self, pattern, batch_size=32):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(batch_size, drop_remainder=True)
        return ds.repeat().prefetch(tf.data.AUTOTUNE)

    def train(self, pattern):
        checkpoint = tf.keras.callbacks.ModelCheckpoint("best.keras", monitor="loss")
        arguments = dict(self.fit_options, x=self.train_data(pattern), callbacks=[checkpoint])
        return self.model.fit(**arguments)


def build():
    base = tf.keras.applications.EfficientNetB2(include_top=False, pooling="avg")
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", [tf.keras.metrics.AUC(name="auc")])
    return model


if __name__ == "__main__":
    trainer = Trainer(build(), {"verbose": 1})
    history = trainer.train("/data/isic2019/train/*/*.jpg")
    print(history.history["auc"][-1])
