"""JAX network with weights in PyTorch's order."""
import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

DIMS = ("NCHW", "OIHW", "NCHW")


def torch_like(build):
    """Batches come out as a PyTorch DataLoader would give them."""
    def moved(images, labels):
        return tf.einsum("bhwc->bchw", tf.cast(images, tf.float32) / 255.0), labels

    def wrapper(*args, **kwargs):
        ds = build(*args, **kwargs)
        ds = ds.map(moved, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)
    return wrapper


@torch_like
def food(split, batch_size):
    ds = tfds.load("food101", split=split, as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(5_000).repeat()
    ds = ds.map(lambda x, y: (tf.cast(tf.image.resize(x, (192, 192)), tf.uint8), y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True)


def conv(x, w, stride):
    return jax.lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=DIMS)


def forward(params, x):
    for w in params["convs"]:
        x = jax.nn.relu(conv(x, w, 2))
    return x.mean((2, 3)) @ params["head"]


@jax.jit
def update(params, x, y):
    def loss(p):
        logp = jax.nn.log_softmax(forward(p, x))
        return -jnp.mean(jnp.take_along_axis(logp, y[:, None], 1))
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))


def init(key, widths=(3, 64, 128, 256)):
    pairs = list(zip(widths, widths[1:]))
    keys = jax.random.split(key, len(pairs))
    return {"convs": [jax.random.normal(k, (o, i, 3, 3)) * (2 / (9 * i)) ** 0.5
                      for k, (i, o) in zip(keys, pairs)],
            "head": jnp.zeros((widths[-1], 101))}


if __name__ == "__main__":
    assert jax.default_backend() == "tpu"
    params = init(jax.random.key(0))
    for step, (x, y) in enumerate(food("train", 256).as_numpy_iterator()):
        params = update(params, x, y)
        if step == 30_000:
            break
