import dataclasses
import datetime
import pathlib

import tensorflow as tf
import tensorflow_datasets as tfds


@dataclasses.dataclass
class Run:
    logs: pathlib.Path = pathlib.Path("runs") / datetime.date.today().isoformat()
    batch: int = 128
    latent: int = 64
    epochs: int = 50
    profile_epoch: int = 2


class Vae(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        conv, up = tf.keras.layers.Conv2D, tf.keras.layers.Conv2DTranspose
        self.encoder = tf.keras.Sequential([
            conv(64, 4, 2, "same", activation="relu"), conv(128, 4, 2, "same", activation="relu"),
            tf.keras.layers.Flatten(), tf.keras.layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.Dense(16 * 16 * 128, activation="relu"), tf.keras.layers.Reshape((16, 16, 128)),
            up(64, 4, 2, "same", activation="relu"), up(3, 4, 2, "same")])

    def loss_of(self, images):
        mean, logvar = tf.split(self.encoder(images), 2, axis=-1)
        guess = self.decoder(mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean)))
        kl = -0.5 * tf.reduce_sum(1 + logvar - mean ** 2 - tf.exp(logvar), axis=-1)
        return tf.reduce_mean(tf.reduce_sum((guess - images) ** 2, axis=(1, 2, 3)) + kl)


run = Run()
faces = tfds.load("celeb_a", split="train", shuffle_files=True).shuffle(10_000)
faces = faces.map(lambda e: tf.image.resize(e["image"], (64, 64)), num_parallel_calls=tf.data.AUTOTUNE)
faces = faces.batch(run.batch).map(lambda x: x / 255.0, num_parallel_calls=tf.data.AUTOTUNE)
faces = faces.prefetch(tf.data.AUTOTUNE)
vae, adam = Vae(run.latent), tf.keras.optimizers.Adam(1e-3)


@tf.function
def update(images):
    with tf.GradientTape() as tape:
        loss = vae.loss_of(images)
    adam.apply_gradients(zip(tape.gradient(loss, vae.trainable_variables), vae.trainable_variables))
    return loss


for epoch in range(run.epochs):
    if epoch == run.profile_epoch:
        tf.profiler.experimental.start(str(run.logs))
    for images in faces.take(1000):
        loss = update(images)
    if epoch == run.profile_epoch:
        tf.profiler.experimental.stop()
    print(epoch, loss.numpy())
