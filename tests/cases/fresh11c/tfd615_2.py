import functools

import jax
import jax.numpy as jnp
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
SPEC = {"x": tf.io.FixedLenFeature([512], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64)}


def batches(pattern, size):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern),
                                 num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).batch(size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, SPEC), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def loss_fn(params, x, y):
    h = jax.nn.relu(x @ params["w1"])
    logp = jax.nn.log_softmax(h @ params["w2"])
    return -jnp.mean(jnp.take_along_axis(logp, y[:, None], axis=1))


@functools.partial(jax.jit, donate_argnums=0)
def train_step(params, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)


def main():
    devices = jax.local_devices()
    k1, k2 = jax.random.split(jax.random.key(0))
    params = {"w1": jax.random.normal(k1, (512, 4096)) * 0.04,
              "w2": jax.random.normal(k2, (4096, 100)) * 0.01}
    replicas = [jax.device_put(params, d) for d in devices]
    per_device = 512
    for batch in batches("/data/embed/*.tfrecord", per_device * len(devices)):
        for i, device in enumerate(devices):
            rows = slice(i * per_device, (i + 1) * per_device)
            x = jax.device_put(batch["x"][rows], device)
            y = jax.device_put(batch["y"][rows], device)
            replicas[i] = jax.block_until_ready(train_step(replicas[i], x, y))
        mean = jax.tree.map(lambda *p: sum(jax.device_put(q, devices[0]) for q in p) / len(p),
                            *replicas)
        replicas = [jax.device_put(mean, d, may_alias=False) for d in devices]


if __name__ == "__main__":
    main()
