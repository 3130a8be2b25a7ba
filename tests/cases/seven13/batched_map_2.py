"""EMNIST VAE: Trainer class with a custom train_step."""
import tensorflow as tf


class Sampling(tf.keras.layers.Layer):
    def call(self, inputs):
        mu, log_var = inputs
        return mu + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mu))


class VAE(tf.keras.Model):
    def __init__(self, latent=32):
        super().__init__()
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.Flatten(), tf.keras.layers.Dense(512, activation="relu"),
            tf.keras.layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.Dense(512, activation="relu"), tf.keras.layers.Dense(784),
            tf.keras.layers.Reshape([28, 28, 1])])
        self.sample = Sampling()

    def train_step(self, x):
        with tf.GradientTape() as tape:
            mu, log_var = tf.split(self.encoder(x), 2, axis=-1)
            logits = self.decoder(self.sample((mu, log_var)))
            rec = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(x, logits), [1, 2, 3])
            kl = -0.5 * tf.reduce_sum(1 + log_var - mu ** 2 - tf.exp(log_var), -1)
            loss = tf.reduce_mean(rec + kl)
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


class VAETrainer:
    BATCH = 512

    def __init__(self, images):
        self.images = images  # uint8 [697932, 28, 28]

    @staticmethod
    def _to_unit(image):
        return tf.cast(image, tf.float32)[..., tf.newaxis] / 255.0

    def _tail(self, ds):
        return ds.batch(self.BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def fit(self, epochs):
        source = tf.data.Dataset.from_tensor_slices(self.images).shuffle(100_000)
        unit = source.map(self._to_unit, num_parallel_calls=tf.data.AUTOTUNE)
        model = VAE()
        model.compile(optimizer=tf.keras.optimizers.Adam(1e-3))
        model.fit(self._tail(unit), epochs=epochs)
        return model


if __name__ == "__main__":
    import numpy as np
    VAETrainer(np.load("/data/emnist/byclass_train.npy", mmap_mode="r")).fit(50)
