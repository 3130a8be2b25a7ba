"""SimCLR pretraining on unlabelled aerial tiles."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Settings:
    tiles: str = "/data/aerial/tiles/*/*.png"
    batch: int = 512
    crop: int = 128
    epochs: int = 200
    tau: float = 0.1


def read_tile(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.ensure_shape(img, [256, 256, 3])


def random_view(x, size):
    x = tf.image.random_crop(x, [tf.shape(x)[0], size, size, 3])
    x = tf.image.random_flip_left_right(x)
    x = tf.image.random_brightness(tf.cast(x, tf.float32) / 255.0, 0.4)
    return tf.image.random_saturation(x, 0.2, 1.8)


class PairPipeline:
    def __init__(self, s: Settings):
        self.s = s

    def source(self):
        ds = tf.data.Dataset.list_files(self.s.tiles, shuffle=True)
        ds = ds.map(read_tile, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache("/ssd/aerial.cache").prefetch(tf.data.AUTOTUNE)

    def __call__(self):
        ds = self.source().shuffle(10000).batch(self.s.batch, drop_remainder=True)
        return ds.map(lambda x: (random_view(x, self.s.crop), random_view(x, self.s.crop)),
                      num_parallel_calls=tf.data.AUTOTUNE)


def nt_xent(a, b, tau):
    a, b = tf.math.l2_normalize(a, -1), tf.math.l2_normalize(b, -1)
    logits = tf.matmul(a, b, transpose_b=True) / tau
    y = tf.range(tf.shape(a)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))


def run(s: Settings):
    enc = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
    opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(u, v):
        with tf.GradientTape() as tape:
            loss = nt_xent(enc(u, training=True), enc(v, training=True), s.tau)
        g = tape.gradient(loss, enc.trainable_variables)
        opt.apply_gradients(zip(g, enc.trainable_variables))
        return loss

    pairs = PairPipeline(s)()
    for epoch in range(s.epochs):
        for u, v in pairs:
            loss = step(u, v)
        print(epoch, float(loss))


run(Settings())
