import numpy as np
import tensorflow as tf


class Gestures:
    length = 64

    def __init__(self, archive):
        self.motion = archive["motion"].astype("float32")
        self.gesture = archive["gesture"].astype("int32")

    def sequences(self):
        ds = tf.data.Dataset.from_tensor_slices((self.motion, self.gesture))
        ds = ds.window(self.length, shift=16, drop_remainder=True)
        return ds.flat_map(lambda w: w.batch(self.length))

    def dataset(self, batch_size=32):
        ds = self.sequences().map(
            lambda motion, gesture: (motion, gesture[-1]), num_parallel_calls=tf.data.AUTOTUNE
        )
        return ds.shuffle(2000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


gestures = Gestures(np.load("gestures.npz"))
model = tf.keras.Sequential([
    tf.keras.layers.GRU(32),
    tf.keras.layers.Dense(8, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(gestures.dataset(), epochs=12)
