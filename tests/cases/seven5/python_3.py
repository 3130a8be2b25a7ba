"""Super-resolution: pairs of small and large crops, made with PIL."""
import functools

import numpy as np
import tensorflow as tf
from PIL import Image, ImageFilter


def as_tf(*dtypes):
    """Makes a Python function callable on tensors."""
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(*tensors):
            return tf.py_function(fn, tensors, list(dtypes))
        return wrapper
    return decorator


@as_tf(tf.float32, tf.float32)
def pair(path):
    with Image.open(path.numpy().decode()) as picture:
        large = picture.convert("RGB").resize((256, 256), Image.LANCZOS)
    small = large.filter(ImageFilter.GaussianBlur(1.2)).resize((64, 64), Image.BICUBIC)
    return np.asarray(small, np.float32) / 255.0, np.asarray(large, np.float32) / 255.0


def fix_shapes(small, large):
    return tf.ensure_shape(small, (64, 64, 3)), tf.ensure_shape(large, (256, 256, 3))


def dataset(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.map(pair, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(fix_shapes, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


inputs = tf.keras.Input((64, 64, 3))
x = tf.keras.layers.Conv2D(64, 5, padding="same", activation="relu")(inputs)
x = tf.keras.layers.Conv2D(48, 3, padding="same")(x)
model = tf.keras.Model(inputs, tf.nn.depth_to_space(x, 4))
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(small, large):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(model(small, training=True) - large))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


train = dataset("/data/div2k/crops/*.png", 16)
for epoch in range(100):
    for small, large in train:
        loss = train_step(small, large)
    print(epoch, float(loss))
