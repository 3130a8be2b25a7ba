import h5py
import tensorflow as tf


def samples():
    with h5py.File("/data/spectra.h5", "r") as f:
        for i in range(f["x"].shape[0]):
            yield f["x"][i], f["y"][i]


ds = tf.data.Dataset.from_generator(
    samples, (tf.float32, tf.int32), (tf.TensorShape([1024]), tf.TensorShape([])))
ds = ds.shuffle(5000).batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(12),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
