"""Keystroke dynamics: who is typing?  12 000 recorded sessions, 40 users."""
import h5py
import numpy as np
import tensorflow as tf

SESSIONS = 12_000
BATCH = 64
AUGMENT_FACTOR = 3


def sessions(path):
    with h5py.File(path) as f:
        return f["timing"][:SESSIONS].astype(np.float32), f["user"][:SESSIONS].astype(np.int32)


@tf.function
def wobble(timing, user):
    noise = tf.random.normal(tf.shape(timing), stddev=0.02)
    scale = tf.random.uniform([], 0.9, 1.1)
    return timing * scale + noise, user


class Recipe:
    def __init__(self, timing, user):
        self.n = len(timing)
        self.source = tf.data.Dataset.from_tensor_slices((timing, user))

    def train(self):
        return (self.source
                .shuffle(self.n)
                .batch(BATCH)
                .map(wobble, num_parallel_calls=tf.data.AUTOTUNE)
                .prefetch(tf.data.AUTOTUNE))

    @property
    def steps(self):
        # every session should be seen with three different wobbles per epoch
        return AUGMENT_FACTOR * (self.n // BATCH)


def gru(classes=40):
    return tf.keras.Sequential([
        tf.keras.layers.GRU(96, return_sequences=True),
        tf.keras.layers.GRU(96),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    recipe = Recipe(*sessions("keystrokes.h5"))
    model = gru()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    schedule = tf.keras.callbacks.ReduceLROnPlateau("loss", patience=2)
    model.fit(recipe.train(), epochs=40, steps_per_epoch=recipe.steps, callbacks=[schedule])
    model.save("typist.keras")


if __name__ == "__main__":
    main()
