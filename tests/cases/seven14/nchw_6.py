"""Pure JAX conv net on TPU for galaxy morphology."""
import jax
import jax.numpy as jnp
import optax
import tensorflow as tf
import tensorflow_datasets as tfds
from jax import lax

assert jax.default_backend() == "tpu", "run this on a TPU VM"
DIMS = ("NCHW", "OIHW", "NCHW")


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=DIMS)


def init(key, widths=(3, 64, 128, 256, 512), answers=37):
    params = []
    for cin, cout in zip(widths[:-1], widths[1:]):
        key, sub = jax.random.split(key)
        params.append(jax.random.normal(sub, (cout, cin, 3, 3)) * (2.0 / (9 * cin)) ** 0.5)
    return {"convs": params, "head": jnp.zeros((widths[-1], answers))}


def forward(p, x):
    for w in p["convs"]:
        x = jax.nn.relu(conv(x, w.astype(jnp.bfloat16), 2))
    return x.mean((2, 3)).astype(jnp.float32) @ p["head"]


def galaxies(pattern, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"jpg": tf.io.FixedLenFeature([], tf.string),
                                              "votes": tf.io.FixedLenFeature([37], tf.float32)})
        img = tf.image.central_crop(tf.io.decode_jpeg(ex["jpg"], channels=3), 0.5)
        img = tf.image.rot90(tf.image.resize(img, [128, 128]), tf.random.uniform([], 0, 4, tf.int32))
        return img, ex["votes"]

    def to_device_layout(x, y):
        return tf.cast(tf.transpose(x, [0, 3, 1, 2]) / 255.0, tf.bfloat16), y

    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(to_device_layout, num_parallel_calls=tf.data.AUTOTUNE)
    return tfds.as_numpy(ds.prefetch(tf.data.AUTOTUNE))


tx = optax.adam(3e-4)


@jax.jit
def update(p, opt, x, y):
    loss, g = jax.value_and_grad(lambda q: jnp.mean((jax.nn.sigmoid(forward(q, x)) - y) ** 2))(p)
    up, opt = tx.update(g, opt)
    return optax.apply_updates(p, up), opt, loss


def main(steps=100_000):
    p = init(jax.random.PRNGKey(0))
    opt = tx.init(p)
    feed = iter(galaxies("gs://galaxy-zoo/train-*", 1024))
    for step in range(steps):
        p, opt, loss = update(p, opt, *next(feed))
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
