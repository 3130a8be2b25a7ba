"""Retina scans: contrast by OpenCV, model in Flax."""
import cv2
import jax
import numpy as np
import optax
import tensorflow as tf
from flax import linen as nn


@tf.py_function(Tout=tf.uint8)
def clahe(image):
    lab = cv2.cvtColor(image.numpy(), cv2.COLOR_RGB2LAB)
    lab[..., 0] = cv2.createCLAHE(2.0, (8, 8)).apply(lab[..., 0])
    return cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)


def retina(pattern, side, batch_size):
    def load(record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "grade": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        image = tf.cast(tf.image.resize(image, (side, side)), tf.uint8)
        image = tf.ensure_shape(clahe(image), (side, side, 3))
        return tf.cast(image, tf.float32) / 255.0, ex["grade"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2048).repeat().map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (32, 64, 128, 256):
            x = nn.relu(nn.Conv(width, (3, 3), strides=2)(x))
        return nn.Dense(5)(x.mean((1, 2)))


def main():
    net, tx = Net(), optax.adam(1e-3)
    params = net.init(jax.random.key(0), np.zeros((1, 384, 384, 3), np.float32))
    state = tx.init(params)

    @jax.jit
    def step(params, state, x, y):
        def loss_fn(p):
            return optax.softmax_cross_entropy_with_integer_labels(net.apply(p, x), y).mean()
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    batches = retina("/data/retina/train-*.tfrecord", 384, 32).as_numpy_iterator()
    for i in range(40_000):
        params, state, loss = step(params, state, *next(batches))
        if i % 500 == 0:
            print(i, loss)


if __name__ == "__main__":
    main()
