"""Cloud TPU, plain JAX: lax convolutions fed from tf.data."""
import functools

import jax
import jax.numpy as jnp
import optax
import tensorflow as tf

DIMS = ("NCHW", "OIHW", "NCHW")
WIDTHS = (3, 64, 128, 256, 512)


def conv(x, w, stride):
    return jax.lax.conv_general_dilated(
        x, w.astype(jnp.bfloat16), (stride, stride), "SAME",
        dimension_numbers=DIMS)


def init(key, classes):
    params = []
    for cin, cout in zip(WIDTHS, WIDTHS[1:]):
        key, sub = jax.random.split(key)
        params.append(jax.random.normal(sub, (cout, cin, 3, 3)) * (2.0 / (9 * cin)) ** 0.5)
    return {"conv": params, "head": jax.random.normal(key, (WIDTHS[-1], classes)) * 0.02}


def forward(params, x):
    x = x.astype(jnp.bfloat16) / 255.0
    for w in params["conv"]:
        x = jax.nn.relu(conv(x, w, 2))
    return x.mean((2, 3)).astype(jnp.float32) @ params["head"]


def batches(pattern, per_host):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "jpeg": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.image.random_crop(tf.io.decode_jpeg(ex["jpeg"], 3), [224, 224, 3])
        return img, ex["label"]

    def channels_to_front(images, labels):
        return tf.transpose(images, [0, 3, 1, 2]), labels

    files = tf.data.Dataset.list_files(pattern).shard(jax.process_count(), jax.process_index())
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(per_host, drop_remainder=True).map(channels_to_front, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE).as_numpy_iterator()


def main(pattern="gs://inat/train-*.tfrecord", steps=300_000):
    assert jax.default_backend() == "tpu"
    params = init(jax.random.PRNGKey(0), 10_000)
    tx = optax.sgd(0.1, momentum=0.9)
    opt_state = tx.init(params)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(params, opt_state, x, y):
        def loss_fn(p):
            return optax.softmax_cross_entropy_with_integer_labels(forward(p, x), y).mean()
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for i, (x, y) in zip(range(steps), batches(pattern, 1024)):
        params, opt_state, loss = step(params, opt_state, x, y)
        if i % 1000 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
