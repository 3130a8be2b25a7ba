"""Segment liver lesions in CT crops."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Options:
    pattern: str = "/scratch/ct/crops-*.tfrecord"
    batch_size: int = 32
    crop: int = 96
    steps: int = 20_000
    lr: float = 2e-4

    @property
    def buffer(self):
        return 8 * self.batch_size


class CropReader:
    def __init__(self, opts):
        self.opts = opts

    def parse(self, record):
        side = self.opts.crop
        ex = tf.io.parse_single_example(
            record,
            {
                "ct": tf.io.FixedLenFeature([], tf.string),
                "mask": tf.io.FixedLenFeature([], tf.string),
            },
        )
        ct = tf.reshape(tf.io.decode_raw(ex["ct"], tf.int16), [side, side, side, 1])
        mask = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), [side, side, side, 1])
        ct = tf.clip_by_value(tf.cast(ct, tf.float32), -200.0, 300.0)
        return (ct + 200.0) / 500.0, tf.cast(mask, tf.float32)

    def __call__(self):
        o = self.opts
        files = tf.data.Dataset.list_files(o.pattern, shuffle=True)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )
        ds = ds.shuffle(512).repeat()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(o.batch_size, drop_remainder=True)
        return ds.prefetch(o.buffer)


def unet(side):
    layers = tf.keras.layers
    inp = tf.keras.Input((side, side, side, 1))
    a = layers.Conv3D(16, 3, padding="same", activation="relu")(inp)
    b = layers.Conv3D(32, 3, strides=2, padding="same", activation="relu")(a)
    c = layers.Conv3D(64, 3, strides=2, padding="same", activation="relu")(b)
    d = layers.Conv3DTranspose(32, 3, strides=2, padding="same", activation="relu")(c)
    d = layers.Concatenate()([d, b])
    e = layers.Conv3DTranspose(16, 3, strides=2, padding="same", activation="relu")(d)
    e = layers.Concatenate()([e, a])
    return tf.keras.Model(inp, layers.Conv3D(1, 1)(e))


def dice_loss(y, logits):
    p = tf.sigmoid(logits)
    inter = tf.reduce_sum(y * p, axis=[1, 2, 3, 4])
    total = tf.reduce_sum(y + p, axis=[1, 2, 3, 4])
    return 1.0 - tf.reduce_mean((2.0 * inter + 1.0) / (total + 1.0))


def main():
    opts = Options()
    model = unet(opts.crop)
    optimizer = tf.keras.optimizers.Adam(opts.lr)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = dice_loss(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for i, (x, y) in enumerate(CropReader(opts)().take(opts.steps)):
        loss = step(x, y)
        if i % 100 == 0:
            tf.print("step", i, "dice loss", loss)
    model.save("lesions.keras")


if __name__ == "__main__":
    main()
