"""Galaxy morphology from an HDF5 file."""
import h5py
import numpy as np
import tensorflow as tf
import keras


class H5Source:
    """Yields (image, votes) one at a time."""

    def __init__(self, path, indices):
        self.path = path
        self.indices = np.asarray(indices)

    def __call__(self):
        with h5py.File(self.path, "r") as f:
            images, votes = f["images"], f["votes"]
            for i in self.indices:
                yield images[i].astype("float32") / 255.0, votes[i].astype("float32")

    def dataset(self, batch_size, training):
        ds = tf.data.Dataset.from_generator(
            self,
            output_signature=(
                tf.TensorSpec((128, 128, 3), tf.float32),
                tf.TensorSpec((37,), tf.float32),
            ),
        )
        if training:
            ds = ds.shuffle(4096)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build_model():
    base = keras.applications.ResNet50(weights=None, include_top=False, pooling="avg",
                                       input_shape=(128, 128, 3))
    return keras.Sequential([base, keras.layers.Dense(37, activation="sigmoid")])


def main(path="/data/galaxy/galaxies.h5"):
    order = np.random.default_rng(7).permutation(61_578)
    train = H5Source(path, np.sort(order[:55_000])).dataset(64, True)
    valid = H5Source(path, np.sort(order[55_000:])).dataset(64, False)
    model = build_model()
    model.compile("adam", "mse")
    model.fit(train, validation_data=valid, epochs=30)


if __name__ == "__main__":
    main()
