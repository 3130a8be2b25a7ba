"""StarGAN-like training counted in steps."""
import tensorflow as tf
import tensorflow_datasets as tfds


class StepTrainer:
    max_steps = 200_000
    log_every = 500

    def __init__(self, generator, discriminator):
        self.g, self.d = generator, discriminator
        self.g_opt = tf.keras.optimizers.Adam(1e-4, 0.5)
        self.d_opt = tf.keras.optimizers.Adam(1e-4, 0.5)

    def data(self):
        ds = tfds.load("celeb_a", split="train", shuffle_files=True)
        ds = ds.shuffle(5000).repeat()
        ds = ds.map(lambda e: tf.image.resize(e["image"], [64, 64]) / 127.5 - 1,
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, real):
        z = tf.random.normal([64, 128])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = self.g(z, training=True)
            real_logits, fake_logits = self.d(real, training=True), self.d(fake, training=True)
            g_loss = -tf.reduce_mean(fake_logits)
            d_loss = tf.reduce_mean(tf.nn.relu(1 - real_logits) + tf.nn.relu(1 + fake_logits))
        for tape, loss, net, opt in ((gt, g_loss, self.g, self.g_opt),
                                     (dt, d_loss, self.d, self.d_opt)):
            variables = net.trainable_variables
            opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return g_loss, d_loss

    def run(self):
        step = 0
        for real in self.data():
            g_loss, d_loss = self.step(real)
            step += 1
            if step % self.log_every == 0:
                print(step, float(g_loss), float(d_loss))
            if step >= self.max_steps:
                return self.g


def main():
    g = tf.keras.Sequential([
        tf.keras.layers.Dense(8 * 8 * 256), tf.keras.layers.Reshape((8, 8, 256)),
        tf.keras.layers.Conv2DTranspose(128, 4, 2, "same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(64, 4, 2, "same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(3, 4, 2, "same", activation="tanh")])
    d = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 4, 2, activation="relu"),
        tf.keras.layers.Conv2D(128, 4, 2, activation="relu"),
        tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
    StepTrainer(g, d).run().save("generator.keras")


if __name__ == "__main__":
    main()
