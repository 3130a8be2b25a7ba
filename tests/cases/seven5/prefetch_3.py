"""Depth estimation from single frames (custom training loop)."""
import argparse

import tensorflow as tf


class FrameData:
    def __init__(self, root, size, batch_size):
        self.files = tf.io.gfile.glob(root + "/*/frames-*.tfrecord")
        self.size = size
        self.batch_size = batch_size

    def _decode(self, record):
        parsed = tf.io.parse_single_example(record, {
            "rgb": tf.io.FixedLenFeature([], tf.string),
            "depth": tf.io.FixedLenFeature([], tf.string),
        })
        rgb = tf.io.decode_jpeg(parsed["rgb"], channels=3)
        depth = tf.io.decode_png(parsed["depth"], channels=1, dtype=tf.uint16)
        rgb = tf.image.resize(rgb, self.size) / 255.0
        depth = tf.image.resize(depth, self.size, method="nearest")
        return rgb, tf.cast(depth, tf.float32) / 1000.0

    def train(self):
        return (
            tf.data.Dataset.from_tensor_slices(self.files)
            .shuffle(len(self.files))
            .interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(4096)
            .prefetch(tf.data.AUTOTUNE)
            .map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(self.batch_size, drop_remainder=True)
        )


def main(args):
    data = FrameData(args.root, (256, 320), args.batch_size)
    encoder = tf.keras.applications.ResNet50(include_top=False, input_shape=(256, 320, 3))
    x = tf.keras.layers.Conv2DTranspose(64, 8, strides=32, padding="same", activation="relu")(encoder.output)
    model = tf.keras.Model(encoder.input, tf.keras.layers.Conv2D(1, 3, padding="same")(x))
    optimizer = tf.keras.optimizers.Adam(args.lr)

    @tf.function
    def step(rgb, depth):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(rgb, training=True) - depth))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    train = data.train()
    for epoch in range(args.epochs):
        mean = tf.keras.metrics.Mean()
        for rgb, depth in train:
            mean.update_state(step(rgb, depth))
        print(f"epoch {epoch}: {mean.result().numpy():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="/data/nyu")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--lr", type=float, default=1e-4)
    main(parser.parse_args())
