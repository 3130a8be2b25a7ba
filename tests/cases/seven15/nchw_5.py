import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
LAYOUT = ("NCHW", "OIHW", "NCHW")


def arrays(path):
    z = np.load(path)
    x = z["tiles"].astype(np.float32) / 10000.0
    x = np.moveaxis(x, -1, 1)
    return np.ascontiguousarray(x), z["cover"].astype(np.int32)


def stream(path, batch):
    x, y = arrays(path)
    ds = tf.data.Dataset.from_tensor_slices({"image": x, "label": y})
    ds = ds.shuffle(len(y), seed=6).repeat()
    ds = ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return x.shape[1], ds.as_numpy_iterator()


def conv(x, w, stride):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=LAYOUT)


def forward(p, x):
    x = jax.nn.relu(conv(x, p["c1"], 2))
    x = jax.nn.relu(conv(x, p["c2"], 2))
    return x.mean(axis=(2, 3)) @ p["out"]


def init(bands, classes):
    k = jax.random.split(jax.random.PRNGKey(0), 3)
    return {
        "c1": 0.1 * jax.random.normal(k[0], (32, bands, 3, 3)),
        "c2": 0.1 * jax.random.normal(k[1], (64, 32, 3, 3)),
        "out": 0.1 * jax.random.normal(k[2], (64, classes)),
    }


def main(steps=20_000):
    bands, feed = stream("eurosat_ms.npz", 256)
    params = init(bands, 10)
    tx = optax.adamw(1e-3)
    state = tx.init(params)

    def loss(p, b):
        return optax.softmax_cross_entropy_with_integer_labels(forward(p, b["image"]), b["label"]).mean()

    @jax.jit
    def update(p, s, b):
        v, g = jax.value_and_grad(loss)(p, b)
        u, s = tx.update(g, s, p)
        return optax.apply_updates(p, u), s, v

    for i in range(steps):
        params, state, v = update(params, state, next(feed))
        if i % 500 == 0:
            print(i, float(v))


main()
