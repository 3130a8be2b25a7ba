import numpy as np
import tensorflow as tf


def log_mel(floor, ceil):
    def transform(ds):
        def fn(spec, label):
            spec = tf.math.log(tf.maximum(spec, floor))
            return tf.clip_by_value(spec, -ceil, ceil), label

        return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)

    return transform


def batched(size):
    def transform(ds):
        return ds.batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    return transform


def get_train():
    specs = np.load("specs.npy", mmap_mode="r")
    labels = np.load("labels.npy")
    return (
        tf.data.Dataset.from_tensor_slices((specs, labels))
        .shuffle(len(labels))
        .apply(log_mel(1e-5, 8.0))
        .apply(batched(128))
    )


def get_model(classes):
    return tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(classes),
    ])


model = get_model(35)
model.compile(
    "adam",
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(get_train(), epochs=40)
