import functools
import os

import tensorflow as tf

SPEC = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/label": tf.io.FixedLenFeature([], tf.int64),
}


class Mammograms:
    def __init__(self, data_dir, crop=512, batch_size=16):
        self.data_dir = data_dir
        self.crop = crop
        self.batch_size = batch_size

    def _normalise(self, pixels):
        return (tf.cast(pixels, tf.float32) - 120.0) / 64.0

    def _decode(self, record):
        ex = tf.io.parse_single_example(record, SPEC)
        pixels = tf.io.decode_png(ex["image/encoded"], channels=1)
        pixels = self._normalise(pixels)
        return tf.ensure_shape(pixels, [None, None, 1]), ex["image/label"]

    def _jitter(self, pixels, label, vertical):
        pixels = tf.image.random_crop(pixels, [self.crop, self.crop, 1])
        pixels = tf.image.random_flip_left_right(pixels)
        if vertical:
            pixels = tf.image.random_flip_up_down(pixels)
        return pixels, label

    def train(self):
        names = tf.io.gfile.glob(os.path.join(self.data_dir, "train-*.tfrecord"))
        files = tf.data.Dataset.from_tensor_slices(names).shuffle(len(names))
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
        )
        ds = ds.shuffle(1024)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(functools.partial(self._jitter, vertical=True), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.repeat().batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def classifier(crop):
    return tf.keras.Sequential(
        [
            tf.keras.Input([crop, crop, 1]),
            tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalMaxPool2D(),
            tf.keras.layers.Dense(1),
        ]
    )


def train(steps=20000):
    data = Mammograms("/data/mammo")
    model = classifier(data.crop)
    loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(images, labels):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels[:, None], model(images, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for index, (images, labels) in enumerate(data.train().take(steps)):
        loss = step(images, labels)
        if index % 500 == 0:
            print(index, float(loss))
    model.save("mammo.keras")


if __name__ == "__main__":
    train()
