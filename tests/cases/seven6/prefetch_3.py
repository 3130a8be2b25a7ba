"""ViT-S/16 on iNaturalist, JAX."""
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

from inat import vit

tf.config.set_visible_devices([], 'GPU')


def augment(key_size, example):
  image = tf.io.decode_jpeg(example['image'], channels=3)
  image = tf.image.resize(image, (key_size + 32, key_size + 32))
  image = tf.image.random_crop(image, (key_size, key_size, 3))
  image = tf.image.random_flip_left_right(image)
  return {'image': image / 255.0, 'label': example['label']}


def get_data(batch_size, size=224):
  builder = tfds.builder('i_naturalist2021')
  ds = builder.as_dataset(split='train', shuffle_files=True,
                          decoders={'image': tfds.decode.SkipDecoding()})
  ds = ds.shuffle(50_000).repeat()
  ds = ds.map(functools.partial(augment, size), num_parallel_calls=tf.data.AUTOTUNE)
  ds = ds.batch(batch_size, drop_remainder=True)
  options = tf.data.Options()
  options.deterministic = False
  options.experimental_optimization.inject_prefetch = False
  return ds.with_options(options)


def loss_fn(params, apply_fn, batch):
  logits = apply_fn(params, batch['image'])
  return optax.softmax_cross_entropy_with_integer_labels(logits, batch['label']).mean()


@functools.partial(jax.jit, static_argnums=(2, 3))
def update(params, opt_state, tx, apply_fn, batch):
  loss, grads = jax.value_and_grad(loss_fn)(params, apply_fn, batch)
  updates, opt_state = tx.update(grads, opt_state, params)
  return optax.apply_updates(params, updates), opt_state, loss


def main():
  model: nn.Module = vit.ViT(num_classes=10_000, variant='S/16')
  params = model.init(jax.random.PRNGKey(0), jnp.ones((1, 224, 224, 3)))
  tx = optax.adamw(optax.cosine_decay_schedule(1e-3, 300_000))
  opt_state = tx.init(params)
  for step, batch in enumerate(get_data(1024).as_numpy_iterator()):
    params, opt_state, loss = update(params, opt_state, tx, model.apply, batch)
    if step % 500 == 0:
      print(step, loss)
    if step == 300_000:
      break


if __name__ == '__main__':
  main()
