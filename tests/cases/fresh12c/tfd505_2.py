"""GAN for handbag sketches: profile the first steps of a short benchmarking run."""
import time

from absl import app, flags, logging
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("sketches", "/data/sketches/*.png", "glob")
flags.DEFINE_bool("trace", False, "write a profile")
L = tf.keras.layers


def sketches():
    def decode(p):
        img = tf.io.decode_png(tf.io.read_file(p), channels=1)
        return tf.image.resize(img, (64, 64)) / 127.5 - 1.0

    ds = tf.data.Dataset.list_files(FLAGS.sketches).repeat()
    return ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(
        128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Gan:
    def __init__(self):
        self.g = tf.keras.Sequential([
            tf.keras.Input((100,)), L.Dense(8 * 8 * 128, activation="relu"), L.Reshape((8, 8, 128)),
            L.Conv2DTranspose(64, 4, 2, "same", activation="relu"),
            L.Conv2DTranspose(32, 4, 2, "same", activation="relu"),
            L.Conv2DTranspose(1, 4, 2, "same", activation="tanh")])
        self.d = tf.keras.Sequential([
            tf.keras.Input((64, 64, 1)), L.Conv2D(64, 4, 2, activation="leaky_relu"),
            L.Conv2D(128, 4, 2, activation="leaky_relu"), L.Flatten(), L.Dense(1)])
        self.og, self.od = (tf.keras.optimizers.Adam(2e-4, 0.5) for _ in range(2))
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def step(self, real):
        with tf.GradientTape() as tg, tf.GradientTape() as td:
            fake = self.g(tf.random.normal([tf.shape(real)[0], 100]), training=True)
            pr, pf = self.d(real, training=True), self.d(fake, training=True)
            lg = self.bce(tf.ones_like(pf), pf)
            ld = self.bce(tf.ones_like(pr), pr) + self.bce(tf.zeros_like(pf), pf)
        self.og.apply_gradients(zip(tg.gradient(lg, self.g.trainable_variables), self.g.trainable_variables))
        self.od.apply_gradients(zip(td.gradient(ld, self.d.trainable_variables), self.d.trainable_variables))
        return lg, ld


def bench(gan, data, steps):
    if FLAGS.trace:
        tf.profiler.experimental.start("/logs/gan")
    begin = time.perf_counter()
    for i in range(steps):
        with tf.profiler.experimental.Trace("gan", step_num=i, _r=1):
            loss_g, _ = gan.step(next(data))
    loss_g.numpy()
    return steps / (time.perf_counter() - begin)


def main(_):
    gan, data = Gan(), iter(sketches())
    gan.step(next(data))
    logging.info("%.1f steps/s", bench(gan, data, 10))
    for _ in range(200_000):
        gan.step(next(data))


if __name__ == "__main__":
    app.run(main)
