"""Street scene segmentation, distributed custom loop."""
import functools
import pathlib
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class SceneConfig:
    root: str = "/data/cityscapes"
    height: int = 256
    width: int = 512
    classes: int = 19
    interpolation: str = "bicubic"


class Scenes:
    def __init__(self, cfg):
        self.cfg = cfg
        self.fit_size = functools.partial(
            tf.image.resize, size=(cfg.height, cfg.width), method=cfg.interpolation
        )

    def load(self, photo_path, classes_path):
        photo = tf.io.decode_png(tf.io.read_file(photo_path), channels=3)
        classes = tf.io.decode_png(tf.io.read_file(classes_path), channels=1)
        photo, classes = (self.fit_size(t) for t in (photo, classes))
        return photo / 255.0, tf.cast(tf.round(classes), tf.int32)[..., 0]

    def dataset(self, split, batch):
        photos = sorted(str(p) for p in pathlib.Path(self.cfg.root, "leftImg8bit", split).rglob("*.png"))
        classes = [p.replace("leftImg8bit", "gtFine_trainIds") for p in photos]
        ds = tf.data.Dataset.from_tensor_slices((photos, classes)).shuffle(len(photos))
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build(cfg):
    inp = tf.keras.Input((cfg.height, cfg.width, 3))
    x = tf.keras.layers.Conv2D(64, 5, strides=2, padding="same", activation="relu")(inp)
    for rate in (1, 2, 4, 8):
        x = tf.keras.layers.Conv2D(64, 3, padding="same", dilation_rate=rate, activation="relu")(x)
    x = tf.keras.layers.UpSampling2D(2, interpolation="bilinear")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(cfg.classes, 1)(x))


def main():
    cfg, strategy = SceneConfig(), tf.distribute.MirroredStrategy()
    batch = 4 * strategy.num_replicas_in_sync
    data = strategy.experimental_distribute_dataset(Scenes(cfg).dataset("train", batch))
    with strategy.scope():
        net = build(cfg)
        opt = tf.keras.optimizers.Adam(3e-4)

    def step(x, y):
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x, training=True))
            loss = tf.reduce_sum(tf.reduce_mean(ce, axis=(1, 2))) / batch
        opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    @tf.function
    def train_step(x, y):
        return strategy.reduce("SUM", strategy.run(step, args=(x, y)), axis=None)

    for epoch in range(30):
        for x, y in data:
            loss = train_step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
