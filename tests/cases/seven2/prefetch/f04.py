import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def preprocess(example):
    image = tf.image.resize(example["image"], (64, 64)) / 255.0
    return tf.reshape(image, [-1]), example["label"]


def train_batches(batch_size):
    ds = tfds.load("eurosat/rgb", split="train", shuffle_files=True)
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache().shuffle(20_000).batch(batch_size, drop_remainder=True)
    return tfds.as_numpy(ds)


params = {"w": jnp.zeros((64 * 64 * 3, 10)), "b": jnp.zeros(10)}
tx = optax.adam(1e-3)
state = tx.init(params)


@jax.jit
def update(params, state, x, y):
    def loss_fn(p):
        logits = x @ p["w"] + p["b"]
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


batches = train_batches(256)
for epoch in range(30):
    for x, y in batches:
        params, state, loss = update(params, state, x, y)
    print(epoch, float(loss))
