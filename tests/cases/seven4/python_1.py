import dataclasses
import glob
import random

import keras
import numpy as np
import tensorflow as tf
from PIL import Image


@dataclasses.dataclass
class Frames:
    pattern: str = "/data/comma/*.jpg"
    size: tuple = (320, 160)

    def __post_init__(self):
        self.files = sorted(glob.glob(self.pattern))
        self.order = list(range(len(self.files)))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        name = self.files[i]
        picture = Image.open(name).convert("RGB").resize(self.size, Image.LANCZOS)
        angle = float(name.rsplit("_", 1)[1][:-4])
        return np.asarray(picture, np.float32) / 255.0, np.float32(angle)

    def shuffled(self):
        random.shuffle(self.order)
        return self.order


frames = Frames()
signature = (tf.TensorSpec((160, 320, 3), tf.float32), tf.TensorSpec((), tf.float32))
train = tf.data.Dataset.from_generator(
    lambda: (frames[i] for i in frames.shuffled()), output_signature=signature)
train = train.batch(64).prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([keras.Input((160, 320, 3))])
for width, kernel in zip((24, 36, 48, 64, 64), (5, 5, 5, 3, 3)):
    model.add(keras.layers.Conv2D(width, kernel, strides=2, activation="elu", padding="same"))
model.add(keras.layers.Flatten())
for units in (100, 50, 10, 1):
    model.add(keras.layers.Dense(units))
model.compile(keras.optimizers.Adam(1e-4), "mse")
model.fit(train, epochs=30)
