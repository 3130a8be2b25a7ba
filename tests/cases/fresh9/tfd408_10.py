import glob
import os

import flax.linen as nn
import jax
import optax
import tensorflow as tf
from flax.training.train_state import TrainState

ROOT = "/data/gtsrb/train"


def index():
    paths = sorted(glob.glob(os.path.join(ROOT, "*", "*.png")))
    labels = [int(os.path.basename(os.path.dirname(p))) for p in paths]
    return paths, labels


def load(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [48, 48]) / 255.0, label


def epoch_batches(batch_size):
    ds = tf.data.Dataset.from_tensor_slices(index())
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        for features in (32, 64, 128):
            x = nn.relu(nn.Conv(features, (3, 3))(x))
            x = nn.max_pool(x, (2, 2), strides=(2, 2))
        return nn.Dense(43)(x.mean(axis=(1, 2)))


@jax.jit
def train_step(state, images, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    model = CNN()
    params = model.init(jax.random.PRNGKey(0), jax.numpy.ones((1, 48, 48, 3)))["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))
    train = epoch_batches(128)
    for epoch in range(30):
        for images, labels in train.as_numpy_iterator():
            state, loss = train_step(state, images, labels)
        print(epoch, loss)


if __name__ == "__main__":
    main()
