import dataclasses
from typing import Optional

import tensorflow as tf


@dataclasses.dataclass
class InputConfig:
    files: str = "gs://mapping/cityscapes/train-*.tfrecord"
    crop: int = 512
    global_batch: int = 32
    map_workers: Optional[int] = None
    cycle: int = 8


class SegmentationInput:
    def __init__(self, cfg: InputConfig):
        self.cfg = cfg

    def _parse(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "mask": tf.io.FixedLenFeature([], tf.string)})
        img = tf.cast(tf.io.decode_png(ex["image"], channels=3), tf.float32) / 255.0
        mask = tf.cast(tf.io.decode_png(ex["mask"], channels=1), tf.float32)
        both = tf.image.random_crop(tf.concat([img, mask], -1), (self.cfg.crop, self.cfg.crop, 4))
        both = tf.image.random_flip_left_right(both)
        return both[..., :3], tf.cast(both[..., 3:], tf.int32)

    def __call__(self):
        c = self.cfg
        ds = tf.data.Dataset.list_files(c.files)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=c.cycle,
                           num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(512)
        ds = ds.map(self._parse, num_parallel_calls=c.map_workers)
        ds = ds.batch(c.global_batch, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def unet(classes=19):
    inp = tf.keras.Input((None, None, 3))
    skips, x = [], inp
    for f in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    for f, s in zip((256, 128, 64, 32), reversed(skips)):
        x = tf.keras.layers.Conv2DTranspose(f, 2, strides=2)(x)
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(
                tf.keras.layers.Concatenate()([x, s]))
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(classes, 1)(x))


def run():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = unet()
        model.compile(tf.keras.optimizers.Adam(1e-3),
                      tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(SegmentationInput(InputConfig())(), epochs=200)


if __name__ == "__main__":
    run()
