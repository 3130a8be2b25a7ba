"""Super-resolution (EDSR-like) with a hand-written training loop."""
import dataclasses
import pathlib

import tensorflow as tf


@dataclasses.dataclass
class SRConfig:
    data: pathlib.Path = pathlib.Path("/datasets/div2k/train_hr")
    scale: int = 4
    patch: int = 192
    batch: int = 16
    steps: int = 300_000
    lr: float = 1e-4


class EDSR(tf.keras.Model):
    def __init__(self, scale, filters=64, blocks=16):
        super().__init__()
        conv = lambda f: tf.keras.layers.Conv2D(f, 3, padding="same")
        self.stem = conv(filters)
        self.body = [(conv(filters), conv(filters)) for _ in range(blocks)]
        self.up = conv(3 * scale * scale)
        self.scale = scale

    def call(self, x):
        x = self.stem(x / 255.0)
        for a, b in self.body:
            x = x + b(tf.nn.relu(a(x)))
        return tf.nn.depth_to_space(self.up(x), self.scale) * 255.0


def patches(cfg):
    def decode(path):
        return tf.io.decode_png(tf.io.read_file(path), channels=3)

    def crop_pair(image):
        hr = tf.image.random_crop(image, [cfg.patch, cfg.patch, 3])
        hr = tf.cast(hr, tf.float32)
        lr_size = cfg.patch // cfg.scale
        lr = tf.image.resize(hr, [lr_size, lr_size], method="bicubic", antialias=True)
        return lr, hr

    names = sorted(str(p) for p in cfg.data.glob("*.png"))
    ds = tf.data.Dataset.from_tensor_slices(names)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache()
    ds = ds.shuffle(len(names)).repeat()
    ds = ds.map(crop_pair, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.batch(cfg.batch, drop_remainder=True)
    return ds.take(cfg.steps)


def main(cfg):
    model = EDSR(cfg.scale)
    opt = tf.keras.optimizers.Adam(cfg.lr)

    @tf.function
    def step(lr, hr):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(lr) - hr))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for i, (lr, hr) in enumerate(patches(cfg)):
        loss = step(lr, hr)
        if i % 1000 == 0:
            tf.print("step", i, "L1", loss)
    model.save_weights("/models/edsr_x4")


main(SRConfig())
