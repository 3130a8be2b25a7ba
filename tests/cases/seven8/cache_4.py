"""JAX linear evaluation of frozen CLIP-like features on Places365-small."""
from flax import linen as nn
from flax.training import train_state
import jax
import jax.numpy as jnp
import ml_collections
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

tf.config.set_visible_devices([], "GPU")


def get_config():
    c = ml_collections.ConfigDict()
    c.dataset = "places365_small"
    c.batch = 2048
    c.epochs = 20
    c.size = 64
    c.lr = 0.1
    return c


def preprocess(ex, size):
    img = tf.io.decode_jpeg(ex["image"], channels=3)
    hw = tf.shape(img)
    side = tf.minimum(hw[0], hw[1])
    img = tf.image.resize_with_crop_or_pad(img, side, side)
    img = tf.image.resize(img, [size, size], method=tf.image.ResizeMethod.BICUBIC, antialias=True)
    return {"image": tf.cast(tf.clip_by_value(img, 0, 255), tf.uint8), "label": ex["label"]}


def input_iterator(c):
    builder = tfds.builder(c.dataset)
    builder.download_and_prepare()
    ds = builder.as_dataset(split="train", decoders={"image": tfds.decode.SkipDecoding()})
    ds = (
        ds.cache()
        .repeat()
        .shuffle(50_000)
        .map(lambda ex: preprocess(ex, c.size), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(c.batch, drop_remainder=True)
        .prefetch(tf.data.AUTOTUNE)
    )
    return builder.info.splits["train"].num_examples, tfds.as_numpy(ds)


class SmallNet(nn.Module):
    classes: int = 365

    @nn.compact
    def __call__(self, x):
        x = x.astype(jnp.float32) / 127.5 - 1.0
        for ch in (64, 128, 256):
            x = nn.relu(nn.Conv(ch, (3, 3))(x))
            x = nn.max_pool(x, (2, 2), strides=(2, 2))
        return nn.Dense(self.classes)(x.mean(axis=(1, 2)))


@jax.jit
def update(state, batch):
    def loss_fn(p):
        logits = state.apply_fn({"params": p}, batch["image"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()

    loss, g = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=g), loss


def main():
    c = get_config()
    n, it = input_iterator(c)
    steps = c.epochs * n // c.batch
    net = SmallNet()
    params = net.init(jax.random.PRNGKey(0), jnp.zeros((1, c.size, c.size, 3), jnp.uint8))["params"]
    tx = optax.sgd(optax.cosine_decay_schedule(c.lr, steps), momentum=0.9)
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=tx)
    for step, batch in zip(range(steps), it):
        state, loss = update(state, batch)
        if step % 200 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
