"""VAE training loop in a Trainer that profiles itself, with next() inside the Trace."""
import argparse

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def celeba(pattern, batch_size):
    def load(path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.crop_to_bounding_box(img, 40, 15, 148, 148)
        return tf.image.resize(img, [64, 64], antialias=True) / 255.0

    return (tf.data.Dataset.list_files(pattern)
            .map(load, num_parallel_calls=AUTOTUNE)
            .batch(batch_size, drop_remainder=True)
            .prefetch(AUTOTUNE))


class VAE(tf.keras.Model):
    def __init__(self, latent=128):
        super().__init__()
        self.enc = tf.keras.Sequential(
            [tf.keras.layers.Conv2D(c, 4, 2, "same", activation="relu") for c in (32, 64, 128, 256)]
            + [tf.keras.layers.Flatten(), tf.keras.layers.Dense(2 * latent)])
        self.dec = tf.keras.Sequential(
            [tf.keras.layers.Dense(4 * 4 * 256), tf.keras.layers.Reshape((4, 4, 256))]
            + [tf.keras.layers.Conv2DTranspose(c, 4, 2, "same", activation="relu")
               for c in (128, 64, 32)]
            + [tf.keras.layers.Conv2DTranspose(3, 4, 2, "same")])

    def elbo(self, x):
        mu, logvar = tf.split(self.enc(x), 2, -1)
        z = mu + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mu))
        rec = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=self.dec(z))
        kl = 0.5 * tf.reduce_sum(tf.exp(logvar) + mu ** 2 - 1.0 - logvar, -1)
        return tf.reduce_mean(tf.reduce_sum(rec, [1, 2, 3]) + kl)


class Trainer:
    def __init__(self, model, logdir, profile_at=300, profile_for=10):
        self.model, self.logdir = model, logdir
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.first, self.last = profile_at, profile_at + profile_for
        self.step = 0

    @tf.function
    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = self.model.elbo(x)
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def epoch(self, dataset):
        iterator = iter(dataset)
        loss = None
        while True:
            if self.step == self.first:
                tf.profiler.experimental.start(self.logdir)
            try:
                with tf.profiler.experimental.Trace("train", step_num=self.step, _r=1):
                    batch = next(iterator)
                    loss = self.train_step(batch)
            except StopIteration:
                return loss
            if self.step == self.last:
                tf.profiler.experimental.stop()
            self.step += 1


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--images", default="/data/celeba/img_align_celeba/*.jpg")
    p.add_argument("--logdir", default="/tmp/vae")
    p.add_argument("--epochs", type=int, default=40)
    a = p.parse_args()
    trainer = Trainer(VAE(), a.logdir)
    ds = celeba(a.images, 256)
    for e in range(a.epochs):
        print(e, float(trainer.epoch(ds)))
