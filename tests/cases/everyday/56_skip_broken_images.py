"""Trains on scraped images. Some of them are broken; the loop leaves those out."""
import logging
import pathlib
import random

import tensorflow as tf

log = logging.getLogger("train")


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [180, 180]) / 255.0, label


def list_images(root):
    classes = sorted(p.name for p in root.iterdir() if p.is_dir())
    items = [(str(p), i) for i, name in enumerate(classes) for p in (root / name).glob("*.jpg")]
    random.shuffle(items)
    paths, labels = zip(*items)
    return list(paths), list(labels), classes


class Trainer:
    def __init__(self, num_classes):
        self.model = tf.keras.applications.MobileNetV2(
            weights=None, classes=num_classes, input_shape=(180, 180, 3), classifier_activation=None
        )
        self.optimizer = tf.keras.optimizers.Adam(3e-4)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(labels, self.model(images, training=True))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def run_epoch(self, dataset):
        iterator = iter(dataset)
        losses, skipped = [], 0
        while True:
            try:
                images, labels = next(iterator)
            except StopIteration:
                break
            except tf.errors.InvalidArgumentError as error:
                log.warning("skipped a batch: %s", error.message)
                skipped += 1
                continue
            losses.append(float(self.train_step(images, labels)))
        return sum(losses) / max(1, len(losses)), skipped


def main():
    logging.basicConfig(level=logging.INFO)
    paths, labels, classes = list_images(pathlib.Path("data/scraped"))
    dataset = tf.data.Dataset.from_tensor_slices((paths, labels))
    dataset = dataset.map(load)
    dataset = dataset.batch(20)
    trainer = Trainer(len(classes))
    for epoch in range(15):
        loss, skipped = trainer.run_epoch(dataset)
        log.info("epoch %d: loss %.4f, %d batches skipped", epoch, loss, skipped)
    trainer.model.save("scraped_model")


if __name__ == "__main__":
    main()
