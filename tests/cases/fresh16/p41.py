import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf
from flax import linen as nn

HOLD = 2_000


def archive(path):
    """Light curves: flux over 512 time bins, 1 if a transit was confirmed."""
    with np.load(path) as z:
        flux = z["flux"].astype(np.float32)
        planet = z["planet"].astype(np.int32)
    return flux, planet


class LightCurves:
    def __init__(self, flux, planet, batch=128):
        self.n = len(planet)
        self.batch = batch
        self.all = tf.data.Dataset.from_tensor_slices({"flux": flux, "planet": planet})

    def learning(self):
        ds = self.all.shuffle(self.n).batch(self.batch, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()

    def checking(self):
        ds = self.all.take(HOLD).batch(500)
        return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x[..., None]
        for w in (16, 32, 64):
            x = nn.relu(nn.Conv(w, (7,), strides=(2,))(x))
        return nn.Dense(2)(x.mean(axis=1))


def main():
    curves = LightCurves(*archive("kepler.npz"))
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jnp.zeros((1, 512)))
    tx = optax.adam(1e-3)
    state = tx.init(params)

    @jax.jit
    def step(params, state, flux, planet):
        def objective(p):
            logits = net.apply(p, flux)
            return optax.softmax_cross_entropy_with_integer_labels(logits, planet).mean()
        grads = jax.grad(objective)(params)
        delta, state = tx.update(grads, state)
        return optax.apply_updates(params, delta), state

    @jax.jit
    def right(params, flux, planet):
        return (net.apply(params, flux).argmax(-1) == planet).sum()

    for epoch in range(20):
        for b in curves.learning():
            params, state = step(params, state, b["flux"], b["planet"])
        good = sum(right(params, b["flux"], b["planet"]) for b in curves.checking())
        print(epoch, "accuracy on held-out curves", int(good) / HOLD)


if __name__ == "__main__":
    main()
