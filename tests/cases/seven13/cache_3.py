"""Detector trainer: raw records kept in memory, decoding done by every epoch."""
import argparse

import tensorflow as tf


class DetectionReader:
    MAX_BOXES = 50

    def __init__(self, pattern, size):
        self.pattern = pattern
        self.size = size

    def raw(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)

    def to_example(self, record):
        ex = tf.io.parse_single_example(record, {
            "image/encoded": tf.io.FixedLenFeature([], tf.string),
            "image/bbox": tf.io.RaggedFeature(tf.float32),
        })
        image = tf.io.decode_png(ex["image/encoded"], channels=3)
        image = tf.image.resize(image, [self.size, self.size], method="area")
        boxes = tf.reshape(ex["image/bbox"], [-1, 4])[: self.MAX_BOXES]
        boxes = tf.pad(boxes, [[0, self.MAX_BOXES - tf.shape(boxes)[0]], [0, 0]])
        return image, tf.ensure_shape(boxes, [self.MAX_BOXES, 4])


class Trainer:
    def __init__(self, args):
        self.args = args
        self.reader = DetectionReader(args.pattern, args.size)
        self.optimizer = tf.keras.optimizers.Adam(1e-4)
        backbone = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        self.net = tf.keras.Sequential([
            backbone, tf.keras.layers.Dense(200, activation="sigmoid"), tf.keras.layers.Reshape([50, 4])])

    def dataset(self):
        kept = self.reader.raw().cache()
        return (kept.shuffle(2000)
                .map(self.reader.to_example, num_parallel_calls=tf.data.AUTOTUNE)
                .batch(self.args.batch, drop_remainder=True)
                .prefetch(tf.data.AUTOTUNE))

    @tf.function
    def train_step(self, image, boxes):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.huber(boxes, self.net(image, training=True)))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def train(self):
        ds = self.dataset()
        for epoch in range(self.args.epochs):
            mean = tf.keras.metrics.Mean()
            for image, boxes in ds:
                mean.update_state(self.train_step(image, boxes))
            print(f"epoch {epoch} loss {mean.result():.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--pattern", default="/data/traffic_signs/train-*.tfrecord")
    ap.add_argument("--size", type=int, default=320)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--epochs", type=int, default=120)
    Trainer(ap.parse_args()).train()
