import functools

import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

to_unit = functools.partial(tf.image.convert_image_dtype, dtype=tf.float32)


def read_arrays():
    (x, y), (x_test, y_test) = tf.keras.datasets.cifar100.load_data()
    return {
        "train": (x.astype(np.float32), y.squeeze()),
        "test": (x_test.astype(np.float32), y_test.squeeze()),
    }


def make(split, arrays, batch_size):
    ds = Dataset.from_tensor_slices(arrays[split])
    if split == "train":
        ds = ds.shuffle(50_000)
        ds = ds.batch(batch_size, drop_remainder=True)
    else:
        ds = ds.batch(batch_size)
    ds = ds.map(lambda x, y: (to_unit(x), y), num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def train_epoch(model, optimizer, ds):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)

    for x, y in ds:
        step(x, y)
    return float(mean_loss.result())


if __name__ == "__main__":
    data = read_arrays()
    net = tf.keras.applications.ResNet50V2(
        weights=None, input_shape=(32, 32, 3), classes=100, classifier_activation=None)
    print(train_epoch(net, tf.keras.optimizers.Adam(), make("train", data, 256)))
