"""Train a small vision MLP in JAX, fed by tf.data."""
import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf


class Pipeline:
    def __init__(self, pattern):
        self._ds = tf.data.Dataset.list_files(pattern, shuffle=True)
        self._options = tf.data.Options()
        # keep memory of the host predictable
        self._options.experimental_optimization.inject_prefetch = False

    def records(self):
        self._ds = self._ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def decode(self, side):
        def fn(record):
            ex = tf.io.parse_single_example(record, {
                "image": tf.io.FixedLenFeature([], tf.string),
                "label": tf.io.FixedLenFeature([], tf.int64),
            })
            image = tf.image.resize(tf.io.decode_jpeg(ex["image"], channels=3), (side, side))
            return tf.reshape(image / 127.5 - 1.0, [side * side * 3]), ex["label"]

        self._ds = self._ds.shuffle(10_000).repeat().map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def build(self, batch_size):
        ds = self._ds.batch(batch_size, drop_remainder=True)
        return ds.with_options(self._options)


def loss_fn(params, x, y):
    h = jax.nn.relu(x @ params["w1"] + params["b1"])
    logits = h @ params["w2"] + params["b2"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


@functools.partial(jax.jit, static_argnums=0)
def update(tx, params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    ds = Pipeline("/data/places/train-*.tfrecord").records().decode(96).build(512)
    k1, k2 = jax.random.split(jax.random.PRNGKey(0))
    params = {
        "w1": jax.random.normal(k1, (96 * 96 * 3, 2048)) * 0.01, "b1": jnp.zeros(2048),
        "w2": jax.random.normal(k2, (2048, 365)) * 0.01, "b2": jnp.zeros(365),
    }
    tx = optax.adam(3e-4)
    opt_state = tx.init(params)
    for step, (x, y) in zip(range(200_000), ds.as_numpy_iterator()):
        params, opt_state, loss = update(tx, params, opt_state, x, y)
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
