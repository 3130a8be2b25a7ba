import tensorflow as tf

from vae import VAE, frames

ACCUMULATE = 4


def elbo(model, x):
    recon, mean, logvar = model(x, training=True)
    nll = tf.reduce_mean(tf.reduce_sum(tf.square(recon - x), axis=(1, 2, 3)))
    kl = -0.5 * tf.reduce_mean(
        tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1))
    return nll + kl


def gradients(model, x):
    with tf.GradientTape() as tape:
        loss = elbo(model, x)
    return loss, tape.gradient(loss, model.trainable_variables)


def accumulate(total, grads):
    if total is None:
        return grads
    return [a + b for a, b in zip(total, grads)]


def run(model, optimizer, batches, steps):
    step = 0
    while step < steps:
        total = None
        for _ in range(ACCUMULATE):
            loss, grads = gradients(model, next(batches))
            total = accumulate(total, grads)
        scaled = [g / ACCUMULATE for g in total]
        optimizer.apply_gradients(zip(scaled, model.trainable_variables))
        step += 1
        if step % 100 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    batches = iter(frames("/data/atari/train", batch_size=64).repeat())
    run(VAE(latent=32), tf.keras.optimizers.Adam(1e-4), batches, steps=200_000)
