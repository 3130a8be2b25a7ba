"""VAE-GAN on CelebA-HQ 128px, custom loop with profiling of the second epoch."""
import argparse
import pathlib

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
PROFILED_EPOCH = 1


class CelebA:
    def __init__(self, root, batch, size=128):
        self.files = sorted(str(p) for p in pathlib.Path(root).glob("*.jpg"))
        self.batch, self.size = batch, size

    def _image(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.central_crop(img, 0.8)
        img = tf.image.resize(img, [self.size, self.size])
        return tf.image.random_flip_left_right(img) / 127.5 - 1.0

    def __call__(self):
        ds = tf.data.Dataset.from_tensor_slices(self.files).shuffle(len(self.files))
        ds = ds.map(self._image, num_parallel_calls=AUTO)
        return ds.batch(self.batch, drop_remainder=True).prefetch(AUTO)


def encoder(z):
    net = tf.keras.Sequential()
    for f in (64, 128, 256, 512):
        net.add(tf.keras.layers.Conv2D(f, 4, 2, "same", activation="relu"))
    net.add(tf.keras.layers.Flatten())
    net.add(tf.keras.layers.Dense(2 * z))
    return net


def decoder():
    net = tf.keras.Sequential([tf.keras.layers.Dense(8 * 8 * 512, "relu"),
                               tf.keras.layers.Reshape([8, 8, 512])])
    for f in (256, 128, 64):
        net.add(tf.keras.layers.Conv2DTranspose(f, 4, 2, "same", activation="relu"))
    net.add(tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh"))
    return net


class VAE:
    def __init__(self, z=256, beta=0.5):
        self.enc, self.dec, self.beta = encoder(z), decoder(), beta
        self.opt = tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def train_on(self, x):
        with tf.GradientTape() as tape:
            mu, logvar = tf.split(self.enc(x, training=True), 2, -1)
            zs = mu + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mu))
            rec = tf.reduce_mean(tf.reduce_sum((self.dec(zs, training=True) - x) ** 2, [1, 2, 3]))
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + logvar - mu ** 2 - tf.exp(logvar), -1))
            loss = rec + self.beta * kl
        tv = self.enc.trainable_variables + self.dec.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return loss


def one_epoch(vae, ds):
    total, n = 0.0, 0
    for x in ds:
        total += vae.train_on(x)
        n += 1
    return float(total) / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", default="/data/celeba_hq")
    ap.add_argument("--logs", default="/logs/vae")
    ap.add_argument("--epochs", type=int, default=60)
    a = ap.parse_args()
    ds, vae = CelebA(a.root, 64)(), VAE()
    for epoch in range(a.epochs):
        if epoch == PROFILED_EPOCH:
            tf.profiler.experimental.start(a.logs)
        with tf.profiler.experimental.Trace("epoch", step_num=epoch, _r=1):
            loss = one_epoch(vae, ds)
        if epoch == PROFILED_EPOCH:
            tf.profiler.experimental.stop()
        print(f"epoch {epoch} loss {loss:.2f}")


if __name__ == "__main__":
    main()
