import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
SETTINGS = {"batch": 1024, "lr": 0.05, "epochs": 3, "profile": "/tmp/prof/taxi"}


class Feed:
    def __init__(self, path, batch):
        z = np.load(path)
        x, y = z["x"].astype(np.float32), z["y"].astype(np.float32)
        self.dim = x.shape[1]
        self.ds = (
            tf.data.Dataset.from_tensor_slices((x, y))
            .shuffle(len(x), seed=0)
            .batch(batch, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE)
        )
        self.rewind()

    def rewind(self):
        self._it = self.ds.as_numpy_iterator()

    def fetch(self):
        return next(self._it, None)


def loss(w, x, y):
    return jnp.mean(jnp.square(x @ w["k"] + w["b"] - y))


@jax.jit
def update(w, x, y, lr):
    value, g = jax.value_and_grad(loss)(w, x, y)
    return jax.tree_util.tree_map(lambda p, d: p - lr * d, w, g), value


def train(cfg):
    feed = Feed("taxi_fares.npz", cfg["batch"])
    w = {"k": jnp.zeros(feed.dim), "b": jnp.zeros(())}
    step = 0
    tf.profiler.experimental.start(cfg["profile"])
    for epoch in range(cfg["epochs"]):
        feed.rewind()
        data = feed.fetch()
        while data is not None:
            with tf.profiler.experimental.Trace("sgd", step_num=step, _r=1):
                w, value = update(w, *data, cfg["lr"])
                value.block_until_ready()
            step += 1
            data = feed.fetch()
        print(epoch, float(value))
    tf.profiler.experimental.stop()
    return w


np.save("taxi_w.npy", np.asarray(train(SETTINGS)["k"]))
