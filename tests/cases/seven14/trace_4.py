"""JAX ViT-lite on EuroSAT with step annotations for the profiler."""
import contextlib

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


class ViT(nn.Module):
    depth: int = 6
    dim: int = 192

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.dim, (8, 8), strides=(8, 8))(x.astype(jnp.float32) / 255.0)
        x = x.reshape(x.shape[0], -1, self.dim)
        x = x + self.param("pos", nn.initializers.normal(0.02), (1, x.shape[1], self.dim))
        for _ in range(self.depth):
            x = x + nn.SelfAttention(3)(nn.LayerNorm()(x))
            x = x + nn.Dense(self.dim)(nn.gelu(nn.Dense(4 * self.dim)(nn.LayerNorm()(x))))
        return nn.Dense(10)(x.mean(1))


def eurosat(batch):
    ds = tfds.load("eurosat/rgb", split="train", as_supervised=True)
    ds = ds.cache().shuffle(27_000).repeat().batch(batch, drop_remainder=True)
    ds = ds.map(lambda x, y: (tf.image.random_flip_left_right(x), y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


@contextlib.contextmanager
def profiling(logdir):
    jax.profiler.start_trace(logdir)
    try:
        yield
    finally:
        jax.profiler.stop_trace()


def make_update(model, tx):
    @jax.jit
    def update(params, opt, x, y):
        def loss_fn(p):
            return optax.softmax_cross_entropy_with_integer_labels(model.apply(p, x), y).mean()
        loss, g = jax.value_and_grad(loss_fn)(params)
        up, opt = tx.update(g, opt, params)
        return optax.apply_updates(params, up), opt, loss
    return update


def loop(params, opt, update, ds, start, stop):
    feed = tfds.as_numpy(ds.take(stop - start))
    for step, (x, y) in enumerate(feed, start):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            params, opt, loss = update(params, opt, x, y)
            loss.block_until_ready()
    return params, opt


def main():
    model, tx = ViT(), optax.adamw(5e-4)
    params = model.init(jax.random.PRNGKey(0), jnp.zeros((1, 64, 64, 3)))
    opt, ds, update = tx.init(params), eurosat(256), make_update(model, tx)
    with profiling("/logs/eurosat"):
        params, opt = loop(params, opt, update, ds, 0, 400)
    loop(params, opt, update, ds, 400, 40_000)


if __name__ == "__main__":
    main()
