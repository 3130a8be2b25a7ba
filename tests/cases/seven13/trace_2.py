"""GAN training on celebrity faces; the two updates are traced as one step."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class GanConfig:
    pattern: str = "/data/celeba/train-*.tfrecord"
    batch: int = 128
    z: int = 128
    steps: int = 200_000
    logdir: str = "/tmp/gan"


def faces(cfg):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {"jpg": tf.io.FixedLenFeature([], tf.string)})
        img = tf.io.decode_jpeg(ex["jpg"], channels=3)
        img = tf.image.random_crop(img, [160, 160, 3])
        return tf.image.resize(img, [64, 64]) / 127.5 - 1.0
    files = tf.io.gfile.glob(cfg.pattern)
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=8).shuffle(20_000).repeat()
    return ds.map(parse, tf.data.AUTOTUNE).batch(cfg.batch, drop_remainder=True).prefetch(4)


def generator(z):
    return tf.keras.Sequential([
        tf.keras.Input([z]), tf.keras.layers.Dense(4 * 4 * 512), tf.keras.layers.Reshape([4, 4, 512])]
        + [tf.keras.layers.Conv2DTranspose(f, 4, 2, "same", activation="relu") for f in (256, 128, 64)]
        + [tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh")])


def critic():
    return tf.keras.Sequential(
        [tf.keras.Input([64, 64, 3])]
        + [tf.keras.layers.Conv2D(f, 4, 2, "same", activation="leaky_relu") for f in (64, 128, 256)]
        + [tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])


def train(cfg):
    g, d = generator(cfg.z), critic()
    g_opt, d_opt = tf.keras.optimizers.Adam(2e-4, 0.5), tf.keras.optimizers.Adam(2e-4, 0.5)

    @tf.function
    def update(real):
        z = tf.random.normal([cfg.batch, cfg.z])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = g(z, training=True)
            s_real, s_fake = d(real, training=True), d(fake, training=True)
            d_loss = tf.reduce_mean(tf.nn.softplus(-s_real) + tf.nn.softplus(s_fake))
            g_loss = tf.reduce_mean(tf.nn.softplus(-s_fake))
        g_opt.apply_gradients(zip(gt.gradient(g_loss, g.trainable_variables), g.trainable_variables))
        d_opt.apply_gradients(zip(dt.gradient(d_loss, d.trainable_variables), d.trainable_variables))
        return d_loss, g_loss

    stream = iter(faces(cfg))
    step = 0
    while step < cfg.steps:
        if step == 1000:
            tf.profiler.experimental.start(cfg.logdir)
        real = next(stream)
        with tf.profiler.experimental.Trace("gan_step", step_num=step, _r=1):
            d_loss, g_loss = update(real)
        if step == 1050:
            tf.profiler.experimental.stop()
        step += 1
        if step % 1000 == 0:
            tf.print(step, d_loss, g_loss)


train(GanConfig())
