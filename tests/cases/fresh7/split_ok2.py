import numpy as np
import tensorflow as tf


class Trajectories:
    """Robot arm trajectories: joint angles now -> joint angles one step later."""

    spec = (tf.TensorSpec((7,), tf.float32), tf.TensorSpec((7,), tf.float32))

    def __init__(self, path, seed=99):
        self.angles = np.load(path, mmap_mode="r")
        self.seed = seed

    def __len__(self):
        return len(self.angles) - 1

    def samples(self):
        rng = np.random.default_rng(self.seed)
        for i in rng.permutation(len(self)):
            yield self.angles[i], self.angles[i + 1]

    def dataset(self):
        return tf.data.Dataset.from_generator(self.samples, output_signature=self.spec)


def prepare(ds, training, batch=512):
    if training:
        ds = ds.shuffle(20_000)
    return ds.batch(batch, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def fit_forward_model(path="data/arm.npy", valid_share=0.1):
    trajectories = Trajectories(path)
    everything = trajectories.dataset()
    border = int(len(trajectories) * (1 - valid_share))
    train = prepare(everything.take(border), training=True)
    valid = prepare(everything.skip(border), training=False)

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(128, activation="tanh"),
        tf.keras.layers.Dense(128, activation="tanh"),
        tf.keras.layers.Dense(7),
    ])
    model.compile(tf.keras.optimizers.Adam(3e-4), "mse")
    model.fit(train, validation_data=valid, epochs=15)
    return model


if __name__ == "__main__":
    fit_forward_model().save("forward_model.keras")
