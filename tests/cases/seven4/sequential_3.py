import os

import tensorflow as tf
from tensorflow.keras import layers

SIDE = 512


def decode_pair(root, size):
    """A transformation for `Dataset.apply`."""

    def read(folder, name, channels):
        data = tf.io.read_file(tf.strings.join([root, folder, name], separator="/"))
        return tf.io.decode_png(data, channels=channels)

    def pair(name):
        image = tf.image.resize(read("images", name, 3), (size, size))
        mask = tf.image.resize(read("masks", name, 1), (size, size), method="nearest")
        if tf.random.uniform(()) > 0.5:
            image, mask = tf.image.flip_left_right(image), tf.image.flip_left_right(mask)
        return tf.image.random_brightness(image / 255.0, 0.1), tf.cast(mask, tf.int32)

    def _apply(dataset):
        return dataset.map(pair)

    return _apply


def unet(classes, widths=(32, 64, 128, 256)):
    inputs = x = layers.Input((SIDE, SIDE, 3))
    skips = []
    for width in widths:
        x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = layers.MaxPooling2D()(x)
    while skips:
        skip = skips.pop()
        x = layers.Conv2DTranspose(skip.shape[-1], 2, strides=2)(x)
        x = layers.Conv2D(skip.shape[-1], 3, padding="same", activation="relu")(layers.Concatenate()([x, skip]))
    return tf.keras.Model(inputs, layers.Conv2D(classes, 1)(x))


root = os.environ["ROADS"]
names = os.listdir(os.path.join(root, "images"))
roads = (tf.data.Dataset.from_tensor_slices(names)
         .shuffle(len(names))
         .apply(decode_pair(root, SIDE))
         .batch(8)
         .prefetch(tf.data.AUTOTUNE))

model = unet(classes=2)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(roads, epochs=120)
