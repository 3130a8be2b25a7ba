"""Handwritten line recognition, a small augmentation zoo in front of the network."""
import random

import tensorflow as tf

HEIGHT, WIDTH = 48, 768


def lighten(img):
    return tf.clip_by_value(img + 0.2, 0.0, 1.0)


def darken(img):
    return tf.clip_by_value(img - 0.2, 0.0, 1.0)


def contrast(img):
    return tf.image.adjust_contrast(img, 1.6)


def squeeze(img):
    slim = tf.image.resize(img, (HEIGHT, int(WIDTH * 0.85)))
    return tf.pad(slim, [[0, 0], [0, WIDTH - int(WIDTH * 0.85)], [0, 0]], constant_values=1.0)


class Zoo:
    def __init__(self, *ops, strength=2):
        self.ops = ops
        self.strength = strength

    def pick(self):
        return random.sample(self.ops, self.strength)

    def __call__(self, img, text):
        for op in self.pick():
            img = op(img)
        return img, text


def line(path, text):
    img = tf.io.decode_png(tf.io.read_file(path), channels=1)
    img = tf.image.resize_with_pad(tf.image.convert_image_dtype(img, tf.float32), HEIGHT, WIDTH)
    return img, text


def lines(listing, codes, zoo=None, batch=64):
    ds = tf.data.Dataset.from_tensor_slices((listing, codes))
    if zoo is not None:
        ds = ds.shuffle(len(listing))
    ds = ds.map(line, num_parallel_calls=tf.data.AUTOTUNE)
    if zoo is not None:
        ds = ds.map(zoo, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=zoo is not None).prefetch(tf.data.AUTOTUNE)


def crnn(symbols):
    inp = tf.keras.Input((HEIGHT, WIDTH, 1))
    x = tf.keras.layers.Conv2D(64, 3, (2, 2), padding="same", activation="relu")(inp)
    x = tf.keras.layers.Conv2D(128, 3, (2, 2), padding="same", activation="relu")(x)
    x = tf.keras.layers.Permute((2, 1, 3))(x)
    x = tf.keras.layers.Reshape((WIDTH // 4, -1))(x)
    x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128, return_sequences=True))(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(symbols + 1)(x))


if __name__ == "__main__":
    import numpy as np
    with np.load("iam_lines.npz") as z:
        names, codes = z["path"], z["code"]
    model = crnn(80)
    model.compile("adam", tf.keras.losses.CTC())
    zoo = Zoo(lighten, darken, contrast, squeeze)
    model.fit(lines(names[2000:], codes[2000:], zoo),
              validation_data=lines(names[:2000], codes[:2000]), epochs=30)
