import numpy as np
import tensorflow as tf
from PIL import Image


class GlyphSource:
    def __init__(self, paths, labels):
        self.items = list(zip(paths, labels))

    def __call__(self):
        for path, label in self.items:
            glyph = Image.open(path).convert("L").resize((28, 28))
            yield np.asarray(glyph, dtype="float32") / 255.0, label

    def dataset(self, batch_size=64):
        ds = tf.data.Dataset.from_generator(
            self,
            output_signature=(
                tf.TensorSpec((28, 28, 1), tf.float32),
                tf.TensorSpec((), tf.int32),
            ),
        )
        return ds.shuffle(1000).batch(batch_size).prefetch(tf.data.AUTOTUNE)


table = np.genfromtxt("glyphs.csv", delimiter=",", dtype=str)
source = GlyphSource(table[:, 0], table[:, 1].astype(int))
model = tf.keras.Sequential([
    tf.keras.Input((28, 28, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(26, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(source.dataset(), epochs=5)
