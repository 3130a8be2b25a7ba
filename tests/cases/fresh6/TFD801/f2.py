import h5py
import tensorflow as tf

service = tf.data.experimental.service


class Spectra:
    def __init__(self, path, address):
        self.path = path
        self.address = address

    def rows(self):
        with h5py.File(self.path, "r") as f:
            for x, y in zip(f["x"], f["y"]):
                yield x, y

    def dataset(self, size):
        ds = tf.data.Dataset.from_generator(
            self.rows,
            output_signature=(
                tf.TensorSpec((1024,), tf.float32),
                tf.TensorSpec((), tf.int32),
            ),
        )
        ds = ds.shuffle(5000).batch(size)
        remote = service.distribute("distributed_epoch", self.address, job_name="train")
        return ds.apply(remote).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(12),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Spectra("/data/spectra.h5", "grpc://dispatcher:5000").dataset(64), epochs=20)
