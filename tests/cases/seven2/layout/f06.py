import haiku as hk
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds

tf.config.set_visible_devices([], "GPU")


def forward(images):
    x = jnp.transpose(images, (0, 3, 1, 2)) / 255.0
    for width in (64, 128, 256):
        x = hk.Conv2D(width, 3, stride=2, data_format="NCHW")(x)
        x = jax.nn.relu(x)
    return hk.Linear(1000)(x.mean(axis=(2, 3)))


net = hk.without_apply_rng(hk.transform(forward))
tx = optax.adam(1e-3)


def batches(batch_size):
    ds = tfds.load("imagenet_resized/64x64", split="train", shuffle_files=True)
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


@jax.jit
def update(params, state, images, labels):
    def loss_fn(p):
        logits = net.apply(p, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    updates, state = tx.update(jax.grad(loss_fn)(params), state)
    return optax.apply_updates(params, updates), state


params = net.init(jax.random.key(0), jnp.zeros((1, 64, 64, 3)))
state = tx.init(params)
data = batches(512)
for _ in range(100_000):
    batch = next(data)
    params, state = update(params, state, batch["image"], batch["label"])
