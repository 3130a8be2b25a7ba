import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

STEPS = 20_000


def real_images(batch):
    ds = tfds.load("celeb_a", split="train", shuffle_files=True)
    ds = ds.map(lambda e: tf.image.resize(e["image"], (64, 64)) / 127.5 - 1.0, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(10_000).repeat().batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def init(key):
    return {"w": jax.random.normal(key, (64 * 64 * 3, 1)) * 0.01, "b": jnp.zeros((1,))}


def loss_fn(params, x):
    logits = x.reshape(x.shape[0], -1) @ params["w"] + params["b"]
    return optax.sigmoid_binary_cross_entropy(logits, jnp.ones_like(logits)).mean()


def main():
    opt = optax.adam(1e-4)
    params = init(jax.random.PRNGKey(0))
    state = opt.init(params)

    @jax.jit
    def step_fn(params, state, x):
        loss, grads = jax.value_and_grad(loss_fn)(params, x)
        updates, state = opt.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    images = real_images(128)
    step = 0
    while step < STEPS:
        (batch,) = images.take(1).as_numpy_iterator()
        params, state, loss = step_fn(params, state, batch)
        if step % 500 == 0:
            print(step, float(loss))
        step += 1


if __name__ == "__main__":
    main()
