"""Flax ViT-S/16 on ImageNet-1k from TFDS."""
import ml_collections
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from flax import linen as nn
from flax.training import train_state


def get_config():
    c = ml_collections.ConfigDict()
    c.dataset = "imagenet2012"
    c.batch_size = 1024
    c.resolution = 224
    c.num_steps = 112_000
    c.shuffle = 50_000
    c.lr = 1e-3
    return c


def reproducible_options():
    """Keep the graph exactly as written, so that two runs can be compared."""
    opts = tf.data.Options()
    opts.deterministic = True
    opts.experimental_optimization.inject_prefetch = False
    opts.experimental_optimization.map_and_batch_fusion = False
    return opts


def preprocess(example, *, resolution):
    img = tf.io.decode_jpeg(example["image"], channels=3)
    img = tf.image.resize(img, (resolution, resolution))
    img = tf.image.random_flip_left_right(img)
    return {"image": img / 127.5 - 1.0, "label": example["label"]}


def input_stream(cfg):
    builder = tfds.builder(cfg.dataset)
    ds = builder.as_dataset(split="train", shuffle_files=True,
                            decoders={"image": tfds.decode.SkipDecoding()})
    ds = ds.shuffle(cfg.shuffle, seed=0).repeat()
    ds = ds.map(lambda e: preprocess(e, resolution=cfg.resolution),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch_size, drop_remainder=True)
    ds = ds.with_options(reproducible_options())
    return iter(tfds.as_numpy(ds))


class PatchNet(nn.Module):
    width: int = 384
    classes: int = 1000

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.width, (16, 16), (16, 16))(x)
        x = x.reshape(x.shape[0], -1, self.width)
        for _ in range(12):
            y = nn.LayerNorm()(x)
            x = x + nn.SelfAttention(num_heads=6)(y)
            x = x + nn.Dense(self.width)(nn.gelu(nn.Dense(4 * self.width)(nn.LayerNorm()(x))))
        return nn.Dense(self.classes)(x.mean(1))


@jax.jit
def train_step(state, batch):
    def loss_fn(p):
        logits = state.apply_fn({"params": p}, batch["image"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(cfg):
    model = PatchNet()
    dummy = jnp.zeros((1, cfg.resolution, cfg.resolution, 3))
    params = model.init(jax.random.PRNGKey(0), dummy)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params,
                                          tx=optax.adamw(cfg.lr, weight_decay=0.1))
    stream = input_stream(cfg)
    for step in range(cfg.num_steps):
        state, loss = train_step(state, next(stream))
        if step % 100 == 0:
            print(f"{step:07d} loss={loss:.4f}")


if __name__ == "__main__":
    train(get_config())
