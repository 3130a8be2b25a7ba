"""Denoising diffusion on 64x64 faces."""
import time

import tensorflow as tf

STEPS_T = 1000


class Progress:
    """Keeps a running mean of the loss for the console."""

    def __init__(self, every=500):
        self.every = every
        self.mean = tf.keras.metrics.Mean()
        self.began = time.time()

    def push(self, loss):
        self.mean.update_state(loss)

    def show(self, step):
        if step % self.every:
            return
        rate = step / (time.time() - self.began)
        print(f"{step:7d}  {float(self.mean.result()):.4f}  {rate:.1f} it/s")
        self.mean.reset_state()


def faces(pattern, batch, steps):
    def decode(name):
        img = tf.io.decode_jpeg(tf.io.read_file(name), channels=3)
        img = tf.image.resize(tf.image.central_crop(img, 0.7), (64, 64))
        return img / 127.5 - 1.0

    names = tf.io.gfile.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(names).shuffle(len(names)).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True).take(steps)
    return ds.prefetch(tf.data.AUTOTUNE)


class Diffusion(tf.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.opt = tf.keras.optimizers.Adam(2e-4)
        self.alpha = tf.math.cumprod(1.0 - tf.linspace(1e-4, 0.02, STEPS_T))

    @tf.function
    def update(self, x):
        n = tf.shape(x)[0]
        t = tf.random.uniform([n], 0, STEPS_T, tf.int32)
        a = tf.gather(self.alpha, t)[:, None, None, None]
        eps = tf.random.normal(tf.shape(x))
        noisy = tf.sqrt(a) * x + tf.sqrt(1.0 - a) * eps
        with tf.GradientTape() as tape:
            guess = self.net([noisy, t], training=True)
            loss = tf.reduce_mean(tf.square(guess - eps))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def network():
    img, t = tf.keras.Input((64, 64, 3)), tf.keras.Input((), dtype="int32")
    e = tf.keras.layers.Embedding(STEPS_T, 64)(t)
    x = tf.keras.layers.Conv2D(64, 3, padding="same")(img)
    for _ in range(6):
        h = tf.keras.layers.Conv2D(64, 3, padding="same", activation="swish")(x)
        x = x + h + tf.keras.layers.Reshape((1, 1, 64))(e)
    return tf.keras.Model([img, t], tf.keras.layers.Conv2D(3, 3, padding="same")(x))


def main(total=200_000):
    job = Diffusion(network())
    progress = Progress()
    for step, batch in enumerate(faces("celeba/*.jpg", 128, total), 1):
        progress.push(job.update(batch))
        progress.show(step)
    job.net.save("ddpm.keras")


if __name__ == "__main__":
    main()
