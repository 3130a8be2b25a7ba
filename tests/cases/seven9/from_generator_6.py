"""Building footprints from SpaceNet scenes: random windows read with rasterio."""
import dataclasses
import pathlib
import random

import numpy as np
import rasterio
from rasterio.windows import Window
import tensorflow as tf


@dataclasses.dataclass
class Settings:
    scenes: str = '/data/spacenet/AOI_2_Vegas/PS-RGB'
    masks: str = '/data/spacenet/AOI_2_Vegas/masks'
    chip: int = 256
    chips_per_scene: int = 32
    batch: int = 32
    epochs: int = 80


class SceneSampler:
    def __init__(self, s: Settings):
        self.s = s
        self.pairs = [(p, pathlib.Path(s.masks) / p.name)
                      for p in sorted(pathlib.Path(s.scenes).glob('*.tif'))]

    def __len__(self):
        return len(self.pairs) * self.s.chips_per_scene

    def __call__(self):
        chip = self.s.chip
        random.shuffle(self.pairs)
        for img_path, mask_path in self.pairs:
            with rasterio.open(img_path) as img, rasterio.open(mask_path) as msk:
                for _ in range(self.s.chips_per_scene):
                    c = random.randint(0, img.width - chip)
                    r = random.randint(0, img.height - chip)
                    w = Window(c, r, chip, chip)
                    x = np.moveaxis(img.read(window=w), 0, -1) / 2047.0
                    y = msk.read(1, window=w)[..., None] > 0
                    yield x.astype(np.float32), y.astype(np.float32)

    @property
    def signature(self):
        c = self.s.chip
        return (tf.TensorSpec((c, c, 3), tf.float32),
                tf.TensorSpec((c, c, 1), tf.float32))

    def as_dataset(self):
        make = tf.data.Dataset.from_generator
        ds = make(self, output_signature=self.signature)
        return (ds.shuffle(2048)
                .batch(self.s.batch, drop_remainder=True)
                .prefetch(tf.data.AUTOTUNE))


def linknet(chip):
    base = tf.keras.applications.EfficientNetB0(
        include_top=False, input_shape=(chip, chip, 3))
    x = base.output
    for f in (256, 128, 64, 32, 16):
        x = tf.keras.layers.Conv2DTranspose(f, 3, 2, 'same', activation='relu')(x)
    out = tf.keras.layers.Conv2D(1, 1, activation='sigmoid')(x)
    return tf.keras.Model(base.input, out)


def main():
    s = Settings()
    sampler = SceneSampler(s)
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = linknet(s.chip)
        model.compile('adam', 'binary_crossentropy')
    print('chips per epoch:', len(sampler))
    model.fit(sampler.as_dataset(), epochs=s.epochs)


if __name__ == '__main__':
    main()
