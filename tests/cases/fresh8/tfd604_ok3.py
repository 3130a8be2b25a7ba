import tensorflow as tf

from vae import VAE, frames

INNER = 100


def elbo(model, x):
    recon, mean, logvar = model(x, training=True)
    nll = tf.reduce_mean(tf.reduce_sum(tf.square(recon - x), axis=(1, 2, 3)))
    kl = -0.5 * tf.reduce_mean(
        tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1))
    return nll + kl


def one_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = elbo(model, x)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def many_steps(model, optimizer, batches):
    loss = 0.0
    for _ in tf.range(INNER):
        loss = one_step(model, optimizer, next(batches))
    return loss


def run(model, optimizer, batches, steps):
    for step in range(0, steps, INNER):
        loss = many_steps(model, optimizer, batches)
        print(step, float(loss))


if __name__ == "__main__":
    batches = iter(frames("/data/atari/train", batch_size=64).repeat())
    vae = VAE(latent=32)
    vae(next(batches))
    adam = tf.keras.optimizers.Adam(1e-4)
    adam.build(vae.trainable_variables)
    run(vae, adam, batches, steps=200_000)
