import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

PIPELINE = [
    ("repeat", {}),
    ("shuffle", {"buffer_size": 50_000, "seed": 17}),
    ("batch", {"batch_size": 512, "drop_remainder": True}),
    ("prefetch", {"buffer_size": tf.data.AUTOTUNE}),
]


def build(name, split):
    ds = tfds.load(name, split=split, as_supervised=True, shuffle_files=True)
    for method, options in PIPELINE:
        ds = getattr(ds, method)(**options)
    return ds.as_numpy_iterator()


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (m, n)) * (2.0 / m) ** 0.5, jnp.zeros(n))
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def forward(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss_fn(params, x, y):
    logp = jax.nn.log_softmax(forward(params, x))
    return -jnp.take_along_axis(logp, y[:, None], axis=1).mean()


@jax.jit
def update(params, image, label):
    x = image.reshape(image.shape[0], -1).astype(jnp.float32) / 255.0
    loss, grads = jax.value_and_grad(loss_fn)(params, x, label)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), loss


def main(steps=20_000):
    params = init(jax.random.key(0), [784, 512, 512, 10])
    batches = build("fashion_mnist", "train")
    for step in range(steps):
        params, loss = update(params, *next(batches))
        if step % 1_000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
