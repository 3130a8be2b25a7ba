"""Semi-supervised trainer for document images."""
import functools
import time

import tensorflow as tf


def timed(fn):
    @functools.wraps(fn)
    def wrapper(self, *args):
        start = time.perf_counter()
        result = fn(self, *args)
        self.seconds += time.perf_counter() - start
        return result
    return wrapper


class Trainer:
    def __init__(self, model, lr=3e-4):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.loss = tf.keras.metrics.Mean()
        self.seconds = 0.0

    @timed
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images, training=True)
            loss = self.loss_fn(labels, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.loss.update_state(loss)

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            self.loss.reset_state()
            for images, labels in dataset:
                self.train_step(images, labels)
            print(f"{epoch}: loss {self.loss.result():.4f}, {self.seconds:.0f} s")


def rvl_cdip(batch_size=64):
    def parse(record):
        ex = tf.io.parse_single_example(record, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_png(ex["image"], channels=1)
        return tf.image.resize(image, [224, 224]) / 255.0, ex["label"]

    files = tf.data.Dataset.list_files("/data/rvl/train-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(
        weights=None, input_shape=(224, 224, 1), classes=16, classifier_activation=None)
    Trainer(net).fit(rvl_cdip(), epochs=20)
