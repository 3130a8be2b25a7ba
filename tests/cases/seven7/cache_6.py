"""DDPM on Oxford Flowers + Food101 at 64x64, Flax, TFDS input."""
import functools
import itertools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from absl import app, flags
from flax import linen as nn
from flax.training.train_state import TrainState

flags.DEFINE_string("name", "food101", "tfds name")
flags.DEFINE_integer("size", 64, "resolution")
flags.DEFINE_integer("batch", 256, "batch")
flags.DEFINE_integer("epochs", 200, "epochs")
FLAGS = flags.FLAGS


def encoded(name):
    return tfds.load(name, split="train", shuffle_files=False,
                     decoders={"image": tfds.decode.SkipDecoding()}).cache()


def fit_square(size, ex):
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    shape = tf.shape(img)
    side = tf.minimum(shape[0], shape[1])
    img = tf.image.resize_with_crop_or_pad(img, side, side)
    img = tf.image.resize(img, [size, size], method="area")
    return tf.cast(img, tf.uint8)


def train_batches(name, size, batch):
    return tfds.as_numpy(
        encoded(name)
        .shuffle(20_000)
        .map(functools.partial(fit_square, size), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE))


class Denoiser(nn.Module):
    width: int = 128

    @nn.compact
    def __call__(self, x, t):
        emb = nn.Dense(self.width)(jnp.sin(t[:, None] * jnp.arange(1, 65)))
        h = nn.Conv(self.width, (3, 3))(x)
        for _ in range(6):
            r = nn.swish(nn.GroupNorm(8)(h)) + emb[:, None, None]
            h = h + nn.Conv(self.width, (3, 3))(r)
        return nn.Conv(3, (3, 3))(h)


@jax.jit
def step(state, batch, key):
    x = batch.astype(jnp.float32) / 127.5 - 1.0
    k1, k2 = jax.random.split(key)
    t = jax.random.uniform(k1, (x.shape[0],))
    eps = jax.random.normal(k2, x.shape)
    a = jnp.cos(t * jnp.pi / 2)[:, None, None, None]
    noisy = a * x + jnp.sqrt(1 - a ** 2) * eps

    def loss_fn(p):
        return jnp.mean((state.apply_fn(p, noisy, t) - eps) ** 2)

    loss, g = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=g), loss


def main(_):
    net = Denoiser()
    key = jax.random.PRNGKey(0)
    params = net.init(key, jnp.zeros((1, FLAGS.size, FLAGS.size, 3)), jnp.zeros((1,)))
    state = TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(2e-4))
    count = itertools.count()
    batches = train_batches(FLAGS.name, FLAGS.size, FLAGS.batch)
    for epoch in range(FLAGS.epochs):
        for batch in batches:
            state, loss = step(state, batch, jax.random.fold_in(key, next(count)))
        print(epoch, loss)


if __name__ == "__main__":
    app.run(main)
