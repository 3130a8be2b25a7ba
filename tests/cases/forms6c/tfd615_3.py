import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

CONFIG = {"pattern": "/data/higgs/train-*.tfrecord", "batch_size": 8192, "epochs": 20,
          "hidden": 1024, "learning_rate": 1e-3}


def numpy_batches(config):
    def parse(records):
        parsed = tf.io.parse_example(records, {
            "x": tf.io.FixedLenFeature([28], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.float32),
        })
        return parsed["x"], parsed["y"]

    ds = tf.data.Dataset.list_files(config["pattern"], shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(200_000).repeat(config["epochs"])
    ds = ds.batch(config["batch_size"], drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def loss_fn(params, x, y):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    logits = (hidden @ params["w2"])[:, 0]
    return optax.sigmoid_binary_cross_entropy(logits, y).mean()


@functools.partial(jax.jit, static_argnames="tx")
def train_step(state, batch, tx):
    params, opt_state = state
    grads = jax.grad(loss_fn)(params, *batch)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def main():
    k1, k2 = jax.random.split(jax.random.key(0))
    h = CONFIG["hidden"]
    params = {"w1": jax.random.normal(k1, (28, h)) * 0.1, "b1": jnp.zeros(h),
              "w2": jax.random.normal(k2, (h, 1)) * 0.03}
    tx = optax.adam(CONFIG["learning_rate"])
    state = (params, tx.init(params))
    for x, y in numpy_batches(CONFIG):
        n = jax.local_device_count()
        shards = zip(x.reshape(n, -1, 28), y.reshape(n, -1))
        for device, shard in zip(jax.local_devices(), shards):
            state = jax.device_put(state, device)
            state = train_step(state, jax.device_put(shard, device), tx)
    jnp.savez("/ckpt/higgs.npz", **state[0])


if __name__ == "__main__":
    main()
