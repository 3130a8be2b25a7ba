import functools
import random

import numpy as np
import tensorflow as tf


def patches(slides, size=256):
    while True:
        slide, mask = slides[random.randrange(len(slides))]
        y = random.randrange(slide.shape[0] - size)
        x = random.randrange(slide.shape[1] - size)
        image = slide[y : y + size, x : x + size].astype(np.float32) / 255.0
        yield image, mask[y : y + size, x : x + size, None].astype(np.float32)


def open_slides(pattern):
    return [
        (np.load(p, mmap_mode="r"), np.load(p.replace("slide", "mask"), mmap_mode="r"))
        for p in tf.io.gfile.glob(pattern)
    ]


slides = open_slides("/data/camelyon/slide_*.npy")
train = tf.data.Dataset.from_generator(
    functools.partial(patches, slides),
    output_signature=(
        tf.TensorSpec((256, 256, 3), tf.float32),
        tf.TensorSpec((256, 256, 1), tf.float32),
    ),
)
train = train.batch(16).prefetch(tf.data.AUTOTUNE)

inputs = tf.keras.Input((256, 256, 3))
h = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
h = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(h)
outputs = tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(h)
unet = tf.keras.Model(inputs, outputs)
unet.compile("adam", "binary_crossentropy")
history = unet.fit(train, epochs=50)
unet.save("unet.keras")
