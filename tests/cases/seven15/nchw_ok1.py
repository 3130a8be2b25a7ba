import numpy as np
import tensorflow as tf


def load(path):
    z = np.load(path)
    x = np.ascontiguousarray(np.transpose(z["images_nchw"], (0, 2, 3, 1)))
    return x, z["labels"].astype(np.int64)


def prepare(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def dataset(path, batch):
    x, y = load(path)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(y), seed=1)
    ds = ds.batch(batch).map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return x.shape[1:], ds.prefetch(tf.data.AUTOTUNE)


def build(shape):
    inp = tf.keras.Input(shape)
    h = inp
    for f in (32, 64, 128):
        h = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu", data_format="channels_last")(h)
        h = tf.keras.layers.MaxPool2D()(h)
    h = tf.keras.layers.GlobalAveragePooling2D()(h)
    return tf.keras.Model(inp, tf.keras.layers.Dense(100)(h))


def main():
    shape, ds = dataset("exported_cifar100.npz", 128)
    net = build(shape)
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(ds, epochs=30)


main()
