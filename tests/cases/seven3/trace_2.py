import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        for features in (32, 64, 128):
            x = nn.relu(nn.Conv(features, (3, 3), strides=(2, 2))(x))
        return nn.Dense(10)(x.mean(axis=(1, 2)))


def batches(split, batch_size):
    ds = tfds.load("cifar10", split=split, shuffle_files=True)
    ds = ds.repeat().shuffle(10_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda b: {**b, "image": tf.cast(b["image"], tf.float32) / 255.0},
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda b: (b["image"], b["label"]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


net = Net()
params = net.init(jax.random.key(0), jnp.zeros((1, 32, 32, 3)))
tx = optax.adamw(1e-3)
opt_state = tx.init(params)


@jax.jit
def update(params, opt_state, images, labels):
    def loss_fn(p):
        return optax.softmax_cross_entropy_with_integer_labels(net.apply(p, images), labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


train_iter = batches("train", 512)
jax.profiler.start_trace("/tmp/tb")
for i in range(2000):
    images, labels = next(train_iter)
    with jax.profiler.StepTraceAnnotation("train", step_num=i):
        params, opt_state, loss = update(params, opt_state, images, labels)
    if i % 100 == 0:
        print(i, loss)
jax.profiler.stop_trace()
