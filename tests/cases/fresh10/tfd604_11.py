"""CycleGAN trainer (horse2zebra)."""
import tensorflow as tf
import tensorflow_datasets as tfds

from networks import PatchDiscriminator, ResnetGenerator


class LossMixin:
    lam = 10.0

    def adv(self, score, real):
        target = tf.ones_like(score) if real else tf.zeros_like(score)
        return tf.reduce_mean(tf.square(score - target))

    def cyc(self, a, b):
        return self.lam * tf.reduce_mean(tf.abs(a - b))


class CycleGAN(LossMixin):
    def __init__(self):
        self.g, self.f = ResnetGenerator(9), ResnetGenerator(9)
        self.dx, self.dy = PatchDiscriminator(), PatchDiscriminator()
        self.opts = {n: tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
                     for n in ("g", "f", "dx", "dy")}

    def optimize(self, x, y):
        with tf.GradientTape(persistent=True) as tape:
            fy, fx = self.g(x, training=True), self.f(y, training=True)
            cx, cy = self.f(fy, training=True), self.g(fx, training=True)
            cycle = self.cyc(x, cx) + self.cyc(y, cy)
            sx, sy = self.dx(fx, training=True), self.dy(fy, training=True)
            losses = {
                "g": self.adv(sy, True) + cycle,
                "f": self.adv(sx, True) + cycle,
                "dx": self.adv(self.dx(x, training=True), True) + self.adv(sx, False),
                "dy": self.adv(self.dy(y, training=True), True) + self.adv(sy, False),
            }
        for name, loss in losses.items():
            net = getattr(self, name)
            grads = tape.gradient(loss, net.trainable_variables)
            self.opts[name].apply_gradients(zip(grads, net.trainable_variables))
        return losses


def domain(split):
    def prep(ex):
        img = tf.image.resize(ex["image"], (286, 286))
        img = tf.image.random_crop(img, (256, 256, 3))
        return tf.image.random_flip_left_right(img) / 127.5 - 1.0
    ds = tfds.load("cycle_gan/horse2zebra", split=split, shuffle_files=True)
    return ds.cache().shuffle(1000).map(prep, num_parallel_calls=tf.data.AUTOTUNE).batch(1)


def main(epochs=200):
    data = tf.data.Dataset.zip((domain("trainA"), domain("trainB"))).prefetch(2)
    gan = CycleGAN()
    for epoch in range(epochs):
        for step, (horses, zebras) in enumerate(data):
            losses = gan.optimize(horses, zebras)
            if step % 100 == 0:
                print(epoch, step, {k: float(v) for k, v in losses.items()})


if __name__ == "__main__":
    main()
