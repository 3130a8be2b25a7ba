from functools import partial
from typing import NamedTuple

import tensorflow as tf


class Paths(NamedTuple):
    lr: str = "/data/div2k/lr_x4"
    hr: str = "/data/div2k/hr_sub480"
    tmp: str = "/scratch/div2k.cache"


def read_bytes(lr, hr):
    return tf.io.read_file(lr), tf.io.read_file(hr)


def to_images(lr, hr):
    return tf.io.decode_png(lr, channels=3), tf.io.decode_png(hr, channels=3)


def random_patch(lr, hr, patch=48, scale=4):
    lo = tf.shape(lr)[:2] - patch + 1
    y = tf.random.uniform((), maxval=lo[0], dtype=tf.int32)
    x = tf.random.uniform((), maxval=lo[1], dtype=tf.int32)
    lr = lr[y:y + patch, x:x + patch]
    hr = hr[y * scale:(y + patch) * scale, x * scale:(x + patch) * scale]
    return tf.ensure_shape(lr, (patch, patch, 3)), tf.ensure_shape(hr, (patch * scale, patch * scale, 3))


def pairs(paths, batch):
    parallel = partial(tf.data.Dataset.map, num_parallel_calls=tf.data.AUTOTUNE)
    lr = sorted(tf.io.gfile.glob(paths.lr + "/*.png"))
    hr = sorted(tf.io.gfile.glob(paths.hr + "/*.png"))
    ds = tf.data.Dataset.from_tensor_slices((lr, hr))
    ds = parallel(ds, read_bytes)
    ds = ds.cache(paths.tmp)
    ds = ds.shuffle(3000).repeat()
    ds = parallel(ds, to_images)
    ds = parallel(ds, random_patch)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def edsr(filters=64, blocks=16):
    inp = tf.keras.Input((None, None, 3))
    x = skip = tf.keras.layers.Conv2D(filters, 3, padding="same")(tf.keras.layers.Rescaling(1 / 255.0)(inp))
    for _ in range(blocks):
        y = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        y = tf.keras.layers.Conv2D(filters, 3, padding="same")(y)
        x = tf.keras.layers.Add()([x, y])
    x = tf.keras.layers.Add()([x, skip])
    for _ in range(2):
        x = tf.keras.layers.Conv2DTranspose(filters, 4, strides=2, padding="same")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(3, 3, padding="same")(x))


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = edsr()
        model.compile(tf.keras.optimizers.Adam(1e-4), "mae")
    model.fit(pairs(Paths(), 16), steps_per_epoch=1000, epochs=300)


if __name__ == "__main__":
    main()
