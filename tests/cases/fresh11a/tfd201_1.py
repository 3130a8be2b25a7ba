import h5py
import numpy as np
import tensorflow as tf


class H5Volume:
    """Patches of an HDF5 file of CT volumes."""

    def __init__(self, path, patch=64):
        self.path = path
        self.patch = patch

    def __call__(self):
        with h5py.File(self.path, "r") as f:
            volumes, labels = f["volumes"], f["labels"]
            for i in np.random.permutation(len(volumes)):
                yield volumes[i].astype("float32"), labels[i]

    @property
    def signature(self):
        shape = (self.patch,) * 3 + (1,)
        return (tf.TensorSpec(shape, tf.float32), tf.TensorSpec((), tf.int64))


class Trainer:
    def __init__(self, model, batch_size):
        self.model = model
        self.batch_size = batch_size

    def dataset(self, source):
        ds = tf.data.Dataset.from_generator(source, output_signature=source.signature)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    def run(self, train, valid, epochs):
        self.model.compile("adam", "sparse_categorical_crossentropy")
        return self.model.fit(self.dataset(train), validation_data=self.dataset(valid),
                              epochs=epochs)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Conv3D(16, 3, activation="relu"),
        tf.keras.layers.MaxPool3D(),
        tf.keras.layers.Conv3D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling3D(),
        tf.keras.layers.Dense(4, activation="softmax"),
    ])
    Trainer(net, 16).run(H5Volume("train.h5"), H5Volume("valid.h5"), epochs=50)
