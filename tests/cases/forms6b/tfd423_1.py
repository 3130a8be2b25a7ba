import h5py
import numpy as np
import tensorflow as tf


class VolumeReader:
    """Random patches from CT volumes that do not fit into memory."""

    def __init__(self, path, patch=64, per_volume=16, seed=0):
        self.path = path
        self.patch = patch
        self.per_volume = per_volume
        self.rng = np.random.default_rng(seed)

    def __call__(self):
        with h5py.File(self.path, "r") as store:
            for name in self.rng.permutation(list(store)):
                volume, label = store[name]["ct"], store[name]["mask"]
                for _ in range(self.per_volume):
                    z, y, x = (self.rng.integers(0, s - self.patch) for s in volume.shape)
                    window = np.s_[z : z + self.patch, y : y + self.patch, x : x + self.patch]
                    ct = volume[window].astype("float32")[..., None]
                    mask = label[window].astype("uint8")[..., None]
                    yield ct, mask, name

    def signature(self):
        shape = (self.patch,) * 3 + (1,)
        return (
            tf.TensorSpec(shape, tf.float32),
            tf.TensorSpec(shape, tf.uint8),
        )


class VolumeData:
    def __init__(self, reader, batch_size=2):
        self.reader = reader
        self.batch_size = batch_size

    def dataset(self):
        ds = tf.data.Dataset.from_generator(
            self.reader, output_signature=self.reader.signature()
        )
        ds = ds.shuffle(64).batch(self.batch_size)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    data = VolumeData(VolumeReader("/data/ct/train.h5"))
    model = tf.keras.Sequential([
        tf.keras.Input((64, 64, 64, 1)),
        tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv3D(1, 1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(data.dataset(), epochs=20)


if __name__ == "__main__":
    main()
