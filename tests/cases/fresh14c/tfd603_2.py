import itertools

import tensorflow as tf
import tensorflow_datasets as tfds


def scale(images, labels):
    return tf.cast(images, tf.float32) / 127.5 - 1.0


def digits(batch_size):
    ds = tfds.load("mnist", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.cache().shuffle(60_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class VAE(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.encoder = tf.keras.Sequential(
            [
                tf.keras.layers.Flatten(),
                tf.keras.layers.Dense(512, activation="relu"),
                tf.keras.layers.Dense(2 * latent),
            ]
        )
        self.decoder = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(512, activation="relu"),
                tf.keras.layers.Dense(784, activation="tanh"),
                tf.keras.layers.Reshape([28, 28, 1]),
            ]
        )

    def call(self, images):
        mean, log_var = tf.split(self.encoder(images), 2, axis=-1)
        z = mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))
        kl = -0.5 * tf.reduce_mean(1.0 + log_var - tf.square(mean) - tf.exp(log_var))
        return self.decoder(z), kl


class SummaryHook:
    def __init__(self, logdir):
        self.writer = tf.summary.create_file_writer(logdir)
        self.best = float("inf")

    def after_step(self, step, loss, model):
        self.best = min(self.best, float(loss))
        with self.writer.as_default(step=step):
            tf.summary.scalar("loss", loss)
            tf.summary.scalar("best", self.best)
            for weight in model.trainable_variables:
                tf.summary.histogram(weight.path, weight)


class Runner:
    def __init__(self, model, hooks):
        self.model = model
        self.hooks = hooks
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def update(self, images):
        with tf.GradientTape() as tape:
            decoded, kl = self.model(images)
            loss = tf.reduce_mean(tf.square(decoded - images)) + 1e-3 * kl
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self, dataset, steps):
        for step, images in enumerate(itertools.islice(dataset, steps)):
            loss = self.update(images)
            for hook in self.hooks:
                hook.after_step(step, loss, self.model)


if __name__ == "__main__":
    vae = VAE(latent=16)
    Runner(vae, [SummaryHook("logs/vae")]).run(digits(256), steps=20_000)
    vae.save_weights("vae.weights.h5")
