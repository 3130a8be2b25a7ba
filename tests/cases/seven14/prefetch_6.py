"""Flax MLP-mixer on Food-101 (tf.data is only the feeder)."""
import jax
import jax.numpy as jnp
import flax.linen as nn
import optax
import tensorflow as tf
import tensorflow_datasets as tfds


class Mixer(nn.Module):
    classes: int = 101

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(256, (16, 16), strides=(16, 16))(x)
        x = x.reshape(x.shape[0], -1, 256)
        for _ in range(6):
            y = jnp.swapaxes(nn.LayerNorm()(x), 1, 2)
            y = nn.Dense(x.shape[1])(nn.gelu(nn.Dense(128)(y)))
            x = x + jnp.swapaxes(y, 1, 2)
            x = x + nn.Dense(256)(nn.gelu(nn.Dense(1024)(nn.LayerNorm()(x))))
        return nn.Dense(self.classes)(x.mean(1))


def random_resized_crop(ex):
    shape = tf.io.extract_jpeg_shape(ex["image"])
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape, tf.zeros([1, 0, 4]), area_range=(0.2, 1.0), min_object_covered=0.0,
        use_image_if_no_bounding_boxes=True)
    y, x, _ = tf.unstack(begin)
    h, w, _ = tf.unstack(size)
    img = tf.image.decode_and_crop_jpeg(ex["image"], tf.stack([y, x, h, w]), channels=3)
    return {"image": tf.image.resize(img, (224, 224)) / 255.0, "label": ex["label"]}


def batches(split, batch_size):
    ds = tfds.load("food101", split=split, shuffle_files=True,
                   decoders={"image": tfds.decode.SkipDecoding()})
    opts = tf.data.Options()
    opts.experimental_deterministic = False
    ds = ds.with_options(opts)
    ds = ds.repeat().shuffle(20000)
    ds = ds.map(random_resized_crop, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    return iter(tfds.as_numpy(ds))


def main(steps=60000):
    model, tx = Mixer(), optax.adamw(1e-3)
    params = model.init(jax.random.PRNGKey(0), jnp.zeros((1, 224, 224, 3)))
    state = tx.init(params)

    @jax.jit
    def update(params, state, batch):
        def loss_fn(p):
            logits = model.apply(p, batch["image"])
            return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
        loss, g = jax.value_and_grad(loss_fn)(params)
        up, state = tx.update(g, state, params)
        return optax.apply_updates(params, up), state, loss

    feed = batches("train", 256)
    for step in range(steps):
        params, state, loss = update(params, state, next(feed))
        if step % 500 == 0:
            print(step, float(loss))


main()
