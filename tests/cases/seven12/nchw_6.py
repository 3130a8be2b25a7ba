import jax
from jax import lax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

DIMS = ("NCHW", "OIHW", "NCHW")


def train_data(batch):
    ds = tfds.load("svhn_cropped", split="train", shuffle_files=True)
    ds = ds.shuffle(50_000).repeat(10).batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def device_batches(ds):
    for item in tfds.as_numpy(ds):
        images = np.ascontiguousarray(np.transpose(item["image"], (0, 3, 1, 2)))
        yield jax.device_put((images, item["label"]))


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=DIMS)


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def forward(params, images):
    x = images.astype(jnp.bfloat16) / 255
    for w in params["convs"]:
        x = pool(jax.nn.relu(conv(x, w.astype(jnp.bfloat16))))
    return jnp.mean(x, axis=(2, 3)).astype(jnp.float32) @ params["head"]


@jax.jit
def update(params, images, labels):
    def loss_fn(p):
        logp = jax.nn.log_softmax(forward(p, images))
        return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], 1))
    grads = jax.grad(loss_fn)(params)
    return jax.tree_util.tree_map(lambda p, g: p - 0.05 * g, params, grads)


def main():
    keys = jax.random.split(jax.random.PRNGKey(0), 4)
    shapes = [(64, 3, 3, 3), (128, 64, 3, 3), (256, 128, 3, 3)]
    params = {"convs": [0.05 * jax.random.normal(k, s) for k, s in zip(keys, shapes)],
              "head": 0.05 * jax.random.normal(keys[3], (256, 10))}
    for images, labels in device_batches(train_data(512)):
        params = update(params, images, labels)


if __name__ == "__main__":
    main()
