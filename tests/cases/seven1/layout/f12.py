import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
from jax import lax

DIMS = ("NCHW", "OIHW", "NCHW")

tf.config.set_visible_devices([], "GPU")


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (64, 64)) / 255.0
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.transpose(image, [2, 0, 1]), label


ds = tf.data.Dataset.list_files("/data/tiny/*/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.repeat(100).batch(256, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def forward(params, x):
    for kernel in params["convs"]:
        x = jax.nn.relu(lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=DIMS))
    return x.mean(axis=(2, 3)) @ params["head"]


def init(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "convs": [jax.random.normal(k1, (32, 3, 3, 3)) * 0.1, jax.random.normal(k2, (64, 32, 3, 3)) * 0.05],
        "head": jax.random.normal(k3, (64, 200)) * 0.1,
    }


tx = optax.adam(1e-3)
params = init(jax.random.key(0))
state = tx.init(params)


@jax.jit
def update(params, state, x, y):
    def loss_fn(p):
        return optax.softmax_cross_entropy_with_integer_labels(forward(p, x), y).mean()

    updates, state = tx.update(jax.grad(loss_fn)(params), state)
    return optax.apply_updates(params, updates), state


for x, y in ds.as_numpy_iterator():
    params, state = update(params, state, x, y)
