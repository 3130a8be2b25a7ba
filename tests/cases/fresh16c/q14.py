import jax
import jax.numpy as jnp
import flax.linen as nn
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax.training import train_state

HPARAMS = {"lr": 1e-3, "batch_size": 128, "epochs": 12, "buffer": 400}


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(32, (3, 3))(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = nn.relu(nn.Conv(64, (3, 3))(x))
        x = x.mean(axis=(1, 2))
        return nn.Dense(10)(x)


def get_split(name, batch_size):
    return tfds.load("svhn_cropped", split=name, batch_size=batch_size, as_supervised=True)


def normalise(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def train_stream(hp):
    ds = get_split("train", hp["batch_size"])
    ds = ds.map(normalise, num_parallel_calls=tf.data.AUTOTUNE).cache()
    ds = ds.shuffle(hp["buffer"], reshuffle_each_iteration=True)
    return ds.prefetch(tf.data.AUTOTUNE)


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    grads = jax.grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads)


def main():
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jnp.ones((1, 32, 32, 3)))["params"]
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(HPARAMS["lr"]))
    train = train_stream(HPARAMS)
    for epoch in range(HPARAMS["epochs"]):
        for x, y in tfds.as_numpy(train):
            state = train_step(state, x, y)
        print("epoch", epoch, "done")


if __name__ == "__main__":
    main()
