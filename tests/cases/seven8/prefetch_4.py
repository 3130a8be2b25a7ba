"""Flax ViT-style training on TFDS imagenet2012."""
import functools

from absl import logging
from flax import linen as nn
from flax.training import train_state
import jax
import jax.numpy as jnp
import ml_collections
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


def get_config():
    config = ml_collections.ConfigDict()
    config.batch_size = 1024
    config.num_steps = 120_000
    config.image_size = 224
    config.lr = 1e-3
    config.data_dir = "gs://my-bucket/tensorflow_datasets"
    return config


def _preprocess(example, size):
    image = tf.io.decode_jpeg(example["image"], channels=3)
    image = tf.image.resize(image, (size, size), antialias=True)
    image = tf.image.random_flip_left_right(image)
    return {"image": image / 127.5 - 1.0, "label": example["label"]}


def create_split(config, builder, split):
    num = builder.info.splits[split].num_examples
    host = num // jax.process_count()
    start = jax.process_index() * host
    ds = builder.as_dataset(
        split=f"{split}[{start}:{start + host}]",
        decoders={"image": tfds.decode.SkipDecoding()},
        shuffle_files=True)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 48
    # Host RAM is tight with eight processes per machine.
    options.experimental_optimization.inject_prefetch = False
    ds = ds.with_options(options)
    ds = ds.repeat().shuffle(16 * config.batch_size, seed=0)
    ds = ds.map(functools.partial(_preprocess, size=config.image_size),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(config.batch_size // jax.process_count(), drop_remainder=True)
    return ds


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(384, (16, 16), strides=(16, 16))(x)
        x = x.reshape(x.shape[0], -1, 384)
        for _ in range(12):
            x = x + nn.SelfAttention(num_heads=6)(nn.LayerNorm()(x))
            x = x + nn.Dense(384)(nn.gelu(nn.Dense(1536)(nn.LayerNorm()(x))))
        return nn.Dense(1000)(x.mean(axis=1))


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["image"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train_and_evaluate(config):
    builder = tfds.builder("imagenet2012", data_dir=config.data_dir)
    train_ds = create_split(config, builder, "train")
    model = Net()
    params = model.init(jax.random.PRNGKey(0),
                        jnp.ones((1, config.image_size, config.image_size, 3)))["params"]
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adamw(config.lr, weight_decay=0.05))
    for step, batch in zip(range(config.num_steps), tfds.as_numpy(train_ds)):
        state, loss = train_step(state, batch)
        if step % 500 == 0:
            logging.info("step %d loss %.4f", step, float(loss))


if __name__ == "__main__":
    train_and_evaluate(get_config())
