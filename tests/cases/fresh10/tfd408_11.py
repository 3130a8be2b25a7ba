"""Histopathology patches (CAMELYON): one TFRecord per slide, normal slides first."""
import os

import tensorflow as tf


class Trainer:
    def __init__(self, root, lr=1e-4, batch=64):
        self.root = root
        self.batch = batch
        self.net = tf.keras.applications.ResNet50(
            weights=None, classes=1, classifier_activation=None, input_shape=(256, 256, 3))
        self.opt = tf.keras.optimizers.Adam(lr)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.avg = tf.keras.metrics.Mean()

    @property
    def files(self):
        normal = sorted(tf.io.gfile.glob(os.path.join(self.root, "normal_*.tfrecord")))
        tumor = sorted(tf.io.gfile.glob(os.path.join(self.root, "tumor_*.tfrecord")))
        return normal + tumor

    def _parse(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "patch": tf.io.FixedLenFeature([], tf.string),
            "tumor": tf.io.FixedLenFeature([1], tf.float32)})
        img = tf.image.decode_png(ex["patch"], channels=3)
        img = tf.ensure_shape(img, (256, 256, 3))
        return tf.image.convert_image_dtype(img, tf.float32), ex["tumor"]

    @property
    def train_data(self):
        ds = tf.data.TFRecordDataset(self.files)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.bce(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.avg.update_state(loss)

    def fit(self, epochs):
        data = self.train_data
        for epoch in range(epochs):
            self.avg.reset_state()
            for x, y in data:
                self.step(x, y)
            print(epoch, float(self.avg.result()))
            self.net.save_weights(f"ckpt_{epoch:02d}.weights.h5")


if __name__ == "__main__":
    Trainer("/data/camelyon/patches").fit(30)
