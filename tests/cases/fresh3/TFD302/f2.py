import numpy as np
import tensorflow as tf


class Base:
    def __init__(self, files, batch):
        self.files = files
        self.batch = batch

    def examples(self):
        ds = tf.data.Dataset.from_tensor_slices(self.files)
        return ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)

    def dataset(self):
        ds = self.examples().cache()
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


class Patches(Base):
    side = 32

    def _patch(self, path):
        volume = np.load(path.decode()).astype(np.float32)
        z, y, x = (np.random.randint(0, s - self.side) for s in volume.shape)
        return volume[z:z + self.side, y:y + self.side, x:x + self.side]

    def load(self, path):
        patch = tf.numpy_function(self._patch, [path], tf.float32)
        patch = tf.ensure_shape(patch, (self.side,) * 3)[..., tf.newaxis]
        return patch, patch


auto = tf.keras.Sequential([
    tf.keras.layers.Conv3D(8, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv3D(1, 3, padding="same"),
])
auto.compile("adam", "mse")
auto.fit(Patches(sorted(tf.io.gfile.glob("ct/*.npy")), 4).dataset(), epochs=100)
