"""CIFAR-100 with a small flax model; tf.data only feeds numpy."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
import tensorflow as tf
from flax.training import train_state

MEAN = np.array([0.507, 0.487, 0.441], np.float32)
STD = np.array([0.267, 0.256, 0.276], np.float32)


def standardize(image, label, *, mean, std, classes):
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = (image - mean) / std
    return image, tf.one_hot(label, classes)


def to_device_batches(ds, bs):
    return ds.batch(bs, drop_remainder=True).prefetch(2)


def load(split, bs, seed=0):
    data = dict(zip(("train", "test"), tf.keras.datasets.cifar100.load_data()))
    x, y = data[split]
    ds = tf.data.Dataset.from_tensor_slices((x, y.squeeze(-1)))
    if split == "train":
        ds = ds.shuffle(len(x), seed=seed)
    prep = functools.partial(standardize, mean=MEAN, std=STD, classes=100)
    ds = ds.map(prep, num_parallel_calls=tf.data.AUTOTUNE)
    return to_device_batches(ds, bs)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        for ch in (64, 128, 256):
            x = nn.relu(nn.Conv(ch, (3, 3))(x))
            x = nn.max_pool(x, (2, 2), (2, 2))
        return nn.Dense(100)(x.mean((1, 2)))


@jax.jit
def step(state, x, y):
    def loss_fn(p):
        logits = state.apply_fn({"params": p}, x)
        return optax.softmax_cross_entropy(logits, y).mean()
    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jnp.ones((1, 32, 32, 3)))["params"]
    state = train_state.TrainState.create(
        apply_fn=net.apply, params=params, tx=optax.adamw(1e-3))
    train = load("train", 512)
    for epoch in range(50):
        for x, y in train.as_numpy_iterator():
            state, loss = step(state, x, y)
        print(f"epoch {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    main()
