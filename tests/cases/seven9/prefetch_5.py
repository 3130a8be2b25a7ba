"""ViT-B/16 pre-training on ImageNet with Flax; TFDS feeds numpy batches."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 1024
STEPS = 300_000


def decode_crop(example, size):
    img = tf.io.decode_jpeg(example['image'], channels=3)
    img = tf.image.resize(img, (size + 32, size + 32))
    img = tf.image.random_crop(img, (size, size, 3))
    img = tf.image.random_flip_left_right(img)
    return {'image': img / 127.5 - 1.0, 'label': example['label']}


def shuffle(ds, buffer):
    return ds.shuffle(buffer, reshuffle_each_iteration=True)


def pmap_transform(ds, fn):
    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def to_batches(ds, size):
    return ds.batch(size, drop_remainder=True)


STAGES = (
    functools.partial(shuffle, buffer=50_000),
    tf.data.Dataset.repeat,
    functools.partial(pmap_transform,
                      fn=functools.partial(decode_crop, size=224)),
    functools.partial(to_batches, size=BATCH),
)


def compose(ds, stages):
    for stage in stages:
        ds = stage(ds)
    return ds


def load_train():
    ds = tfds.load('imagenet2012', split='train',
                   decoders={'image': tfds.decode.SkipDecoding()})
    return compose(ds, STAGES)


class PatchMLP(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(768, (16, 16), strides=(16, 16))(x)
        x = x.reshape(x.shape[0], -1, 768)
        for _ in range(12):
            y = nn.LayerNorm()(x)
            x = x + nn.SelfAttention(num_heads=12)(y)
            x = x + nn.Dense(768)(nn.gelu(nn.Dense(3072)(nn.LayerNorm()(x))))
        return nn.Dense(1000)(x.mean(axis=1))


model = PatchMLP()
params = model.init(jax.random.PRNGKey(0), jnp.zeros((1, 224, 224, 3)))
tx = optax.adamw(1e-3, weight_decay=0.1)
opt_state = tx.init(params)


@jax.jit
def update(params, opt_state, batch):
    def loss_fn(p):
        logits = model.apply(p, batch['image'])
        return optax.softmax_cross_entropy_with_integer_labels(
            logits, batch['label']).mean()
    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


batches = iter(tfds.as_numpy(load_train()))
for step in range(STEPS):
    params, opt_state, loss = update(params, opt_state, next(batches))
    if step % 100 == 0:
        print(step, float(loss))
