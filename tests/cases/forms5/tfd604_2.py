import tensorflow as tf

from networks import build_discriminator, build_generator


class GanTrainer:
    def __init__(self, latent=128, lr=2e-4):
        self.latent = latent
        self.g = build_generator(latent)
        self.d = build_discriminator()
        self.g_opt = tf.keras.optimizers.Adam(lr, beta_1=0.5)
        self.d_opt = tf.keras.optimizers.Adam(lr, beta_1=0.5)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def train_step(self, real):
        z = tf.random.normal((tf.shape(real)[0], self.latent))
        with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
            fake = self.g(z, training=True)
            d_real = self.d(real, training=True)
            d_fake = self.d(fake, training=True)
            g_loss = self.bce(tf.ones_like(d_fake), d_fake)
            d_loss = self.bce(tf.ones_like(d_real), d_real) + self.bce(
                tf.zeros_like(d_fake), d_fake)
        g_grads = g_tape.gradient(g_loss, self.g.trainable_variables)
        d_grads = d_tape.gradient(d_loss, self.d.trainable_variables)
        self.g_opt.apply_gradients(zip(g_grads, self.g.trainable_variables))
        self.d_opt.apply_gradients(zip(d_grads, self.d.trainable_variables))
        return g_loss, d_loss

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            for batch in dataset:
                g_loss, d_loss = self.train_step(batch)
            print(f"{epoch}: g={g_loss:.3f} d={d_loss:.3f}")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (64, 64)) / 127.5 - 1.0


dataset = (
    tf.data.Dataset.list_files("/data/lsun/bedroom/*.jpg")
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)
GanTrainer().fit(dataset, epochs=100)
