import dataclasses
from typing import Tuple

import pandas as pd
import tensorflow as tf


@dataclasses.dataclass
class Config:
    train_csv: str = "data/products/train.csv"
    val_csv: str = "data/products/val.csv"
    image_root: str = "data/products/images/"
    image_size: int = 224
    batch_size: int = 48
    epochs: int = 12
    learning_rate: float = 3e-4
    num_classes: int = 42


class Trainer:
    def __init__(self, config: Config):
        self.config = config
        self.model = self.build_model()
        self.optimizer = tf.keras.optimizers.Adam(config.learning_rate)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.train_loss = tf.keras.metrics.Mean()
        self.val_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def build_model(self) -> tf.keras.Model:
        size = self.config.image_size
        return tf.keras.applications.EfficientNetB0(
            weights=None, input_shape=(size, size, 3), classes=self.config.num_classes, classifier_activation=None
        )

    def load(self, path: tf.Tensor, label: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
        image = tf.io.decode_jpeg(tf.io.read_file(self.config.image_root + path), channels=3)
        image = tf.image.resize_with_pad(image, self.config.image_size, self.config.image_size)
        return image, label

    def make_dataset(self, csv: str, shuffle: bool) -> tf.data.Dataset:
        frame = pd.read_csv(csv)
        dataset = tf.data.Dataset.from_tensor_slices((frame["file"].values, frame["label"].values))
        if shuffle:
            dataset = dataset.shuffle(len(frame))
        return dataset.map(self.load).batch(self.config.batch_size)

    @tf.function
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = self.loss_fn(labels, logits)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.train_loss.update_state(loss)

    @tf.function
    def val_step(self, images, labels):
        self.val_accuracy.update_state(labels, self.model(images, training=False))

    def run(self) -> None:
        train_ds = self.make_dataset(self.config.train_csv, shuffle=True)
        val_ds = self.make_dataset(self.config.val_csv, shuffle=False)
        for epoch in range(self.config.epochs):
            self.train_loss.reset_state()
            self.val_accuracy.reset_state()
            for images, labels in train_ds:
                self.train_step(images, labels)
            for images, labels in val_ds:
                self.val_step(images, labels)
            print(f"{epoch}: loss {self.train_loss.result():.4f} acc {self.val_accuracy.result():.4f}")
        self.model.save_weights("weights/product.h5")


if __name__ == "__main__":
    Trainer(Config()).run()
