import jax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

prof = tf.profiler.experimental


def digits(batch_size):
    ds = tfds.load("svhn_cropped", split="extra", shuffle_files=True)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def feed(ds):
    """Yields (number, device batch) pairs."""
    for i, batch in enumerate(ds.as_numpy_iterator()):
        images = jax.device_put(batch["image"])
        labels = jax.device_put(batch["label"])
        yield i, (images, labels)


def loss_fn(params, images, labels):
    x = images.reshape(images.shape[0], -1).astype(jnp.float32) / 255.0
    h = jax.nn.gelu(x @ params["a"])
    logp = jax.nn.log_softmax(h @ params["b"])
    return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], 1))


@jax.jit
def sgd(params, images, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, images, labels)
    return jax.tree_util.tree_map(lambda p, g: p - 0.01 * g, params, grads), loss


def main():
    key = jax.random.PRNGKey(1)
    params = {"a": 0.02 * jax.random.normal(key, (3072, 1024)),
              "b": 0.02 * jax.random.normal(key, (1024, 10))}
    window = range(200, 240)
    for i, (images, labels) in feed(digits(1024)):
        if i == window.start:
            prof.start("/tmp/prof/svhn")
        if i in window:
            with prof.Trace("sgd", step_num=i, _r=1):
                params, loss = sgd(params, images, labels)
                loss.block_until_ready()
        else:
            params, loss = sgd(params, images, labels)
        if i == window.stop:
            prof.stop()
        if i == 4000:
            break


if __name__ == "__main__":
    main()
