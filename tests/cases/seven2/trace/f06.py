import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax import linen as nn
from flax.training import train_state
from jax.profiler import StepTraceAnnotation

tf.config.set_visible_devices([], "GPU")


class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.gelu(nn.Dense(1024)(x))
        return nn.Dense(1000)(x)


def loader(batch_size):
    ds = tfds.load("imagenet_resized/16x16", split="train", shuffle_files=True)
    ds = ds.shuffle(100_000).repeat().batch(batch_size, drop_remainder=True)
    return tfds.as_numpy(ds.prefetch(tf.data.AUTOTUNE))


@jax.jit
def train_step(state, images, labels):
    def loss_fn(params):
        logits = state.apply_fn(params, images.reshape((images.shape[0], -1)) / 255.0)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    return state.apply_gradients(grads=jax.grad(loss_fn)(state.params))


def main(steps=5_000):
    mlp = Mlp()
    params = mlp.init(jax.random.key(1), jnp.zeros((1, 16 * 16 * 3)))
    state = train_state.TrainState.create(apply_fn=mlp.apply, params=params, tx=optax.adamw(1e-3))
    with jax.profiler.trace("/tmp/mlp"):
        for i, batch in zip(range(steps), loader(1024)):
            batch = jax.device_put(batch)
            with StepTraceAnnotation("mlp", step_num=i):
                state = train_step(state, batch["image"], batch["label"])
    return state


if __name__ == "__main__":
    main()
