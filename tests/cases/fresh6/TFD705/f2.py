import h5py
import tensorflow as tf


class Spectra:
    kinds = {"output_types": {"x": tf.float32, "y": tf.int32}, "output_shapes": {"x": (1024,), "y": ()}}

    def __init__(self, path):
        self.path = path

    def rows(self):
        with h5py.File(self.path, "r") as f:
            for x, y in zip(f["x"], f["y"]):
                yield {"x": x, "y": y}

    def dataset(self, size):
        ds = tf.data.Dataset.from_generator(self.rows, **self.kinds)
        ds = ds.shuffle(5000).batch(size)
        ds = ds.map(lambda e: (e["x"], e["y"]), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(12),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Spectra("/data/spectra.h5").dataset(64), epochs=20)
