"""Image embeddings for JAX: tf.data reads, a generator shards over devices."""
import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf


def decode(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    return tf.image.resize(image, (64, 64)) / 255.0, ex["label"]


def pipeline(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).repeat()
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def generator(ds, devices):
    """Yields batches with a leading axis for the devices."""
    for images, labels in ds.as_numpy_iterator():
        yield (
            np.reshape(images, (devices, -1, *images.shape[1:])),
            np.reshape(labels, (devices, -1)),
        )


def loss_fn(w, x, y):
    logits = x.reshape(x.shape[0], -1) @ w
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(y.shape[0]), y])


def update(w, x, y):
    grads = jax.lax.pmean(jax.grad(loss_fn)(w, x, y), "i")
    return w - 0.1 * grads


if __name__ == "__main__":
    n = jax.local_device_count()
    p_update = jax.pmap(update, axis_name="i")
    w = jnp.zeros((n, 64 * 64 * 3, 200))
    batches = generator(pipeline("/data/tiny-imagenet/train-*.tfrecord", 64 * n), n)
    for step in range(100_000):
        x, y = next(batches)
        w = p_update(w, x, y)
