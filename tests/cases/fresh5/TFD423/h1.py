import h5py
import tensorflow as tf


def samples():
    with h5py.File("/data/spectra.h5", "r") as f:
        for i in range(f["x"].shape[0]):
            features = {"spectrum": f["x"][i], "age": f["age"][i]}
            yield features, f["y"][i], f["weight"][i]


signature = (
    {
        "spectrum": tf.TensorSpec(shape=(1024,), dtype=tf.float32),
        "age": tf.TensorSpec(shape=(), dtype=tf.float32),
    },
    tf.TensorSpec(shape=(), dtype=tf.int32),
    tf.TensorSpec(shape=(), dtype=tf.float32),
)
ds = tf.data.Dataset.from_generator(samples, output_signature=signature)
ds = ds.shuffle(5000).batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.models.load_model("/models/spectra.keras")
model.fit(ds, epochs=20)
