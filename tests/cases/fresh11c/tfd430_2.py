import numpy as np
import tensorflow as tf


def load_arrays():
    (x, y), (xv, yv) = tf.keras.datasets.cifar100.load_data()
    return (np.asarray(x, dtype="float32"), y.squeeze()), (
        np.asarray(xv, dtype="float32"), yv.squeeze())


def make(arrays, training, batch_size=128):
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    if training:
        ds = ds.shuffle(50_000)
    ds = ds.batch(batch_size)
    ds = ds.map(
        lambda x, y: (tf.image.convert_image_dtype(x, dtype=tf.float32), y),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    return ds.prefetch(tf.data.AUTOTUNE)


def network():
    layers = tf.keras.layers
    return tf.keras.Sequential([
        tf.keras.Input((32, 32, 3)),
        layers.Conv2D(64, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(128, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(100),
    ])


if __name__ == "__main__":
    train, test = load_arrays()
    model = network()
    model.compile(
        optimizer="adam", metrics=["accuracy"],
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(make(train, True), validation_data=make(test, False), epochs=40)
