import jax
from jax import lax
import jax.numpy as jnp
import tensorflow as tf
import tensorflow_datasets as tfds

DIMS = ("NHWC", "HWIO", "NHWC")


def train_data(batch):
    def turn(item):
        # half of the batches are mirrored along the main diagonal
        images = tf.cond(tf.random.uniform([]) < 0.5,
                         lambda: tf.transpose(item["image"], [0, 2, 1, 3]),
                         lambda: item["image"])
        return {"image": images, "label": item["label"]}

    ds = tfds.load("eurosat/rgb", split="train", shuffle_files=True)
    ds = ds.shuffle(27_000).repeat(10).batch(batch, drop_remainder=True)
    return ds.map(turn, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=DIMS)


def forward(params, images):
    x = images.astype(jnp.bfloat16) / 255
    for w in params["convs"]:
        x = jax.nn.relu(conv(x, w.astype(jnp.bfloat16), 2))
    return jnp.mean(x, axis=(1, 2)).astype(jnp.float32) @ params["head"]


@jax.jit
def update(params, images, labels):
    def loss_fn(p):
        logp = jax.nn.log_softmax(forward(p, images))
        return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], 1))
    grads = jax.grad(loss_fn)(params)
    return jax.tree_util.tree_map(lambda p, g: p - 0.05 * g, params, grads)


def main():
    keys = jax.random.split(jax.random.PRNGKey(0), 4)
    shapes = [(3, 3, 3, 64), (3, 3, 64, 128), (3, 3, 128, 256)]
    params = {"convs": [0.05 * jax.random.normal(k, s) for k, s in zip(keys, shapes)],
              "head": 0.05 * jax.random.normal(keys[3], (256, 10))}
    for item in tfds.as_numpy(train_data(512)):
        params = update(params, item["image"], item["label"])


if __name__ == "__main__":
    main()
