from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

MEAN = np.array([125.3, 123.0, 113.9], np.float32)
STD = np.array([63.0, 62.1, 66.7], np.float32)


def whiten(example, *, mean, std):
    image = (tf.cast(example["image"], tf.float32) - mean) / std
    return {**example, "image": image}


def per_record(fn, **kwargs):
    """Lifts a function of one example to a dataset transformation."""
    bound = partial(fn, **kwargs)

    def apply(ds):
        return ds.map(bound, num_parallel_calls=tf.data.AUTOTUNE)
    return apply


def loader(images, labels, batch, epochs):
    ds = tf.data.Dataset.from_tensor_slices({"image": images, "label": labels})
    ds = ds.shuffle(50_000, seed=0).repeat(epochs)
    ds = ds.apply(per_record(whiten, mean=MEAN, std=STD))
    ds = ds.batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def loss_fn(params, images, labels):
    x = images.reshape(images.shape[0], -1)
    h = jax.nn.relu(x @ params["w1"])
    logp = jax.nn.log_softmax(h @ params["w2"])
    return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], 1))


@jax.jit
def update(params, images, labels):
    grads = jax.grad(loss_fn)(params, images, labels)
    return jax.tree_util.tree_map(lambda p, g: p - 0.05 * g, params, grads)


def main():
    (x, y), _ = tf.keras.datasets.cifar10.load_data()
    key = jax.random.PRNGKey(0)
    params = {"w1": 0.01 * jax.random.normal(key, (3072, 512)),
              "w2": 0.01 * jax.random.normal(key, (512, 10))}
    for b in loader(x, y[:, 0].astype(np.int32), 512, 20):
        params = update(params, b["image"], b["label"])
    np.savez("mlp.npz", **jax.device_get(params))


if __name__ == "__main__":
    main()
