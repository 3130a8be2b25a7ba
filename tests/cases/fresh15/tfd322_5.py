import glob

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SIDE = 128


def decode(path):
    img = tf.io.decode_png(tf.io.read_file(path), channels=3)
    img = tf.image.resize(img, (SIDE, SIDE))
    return tf.cast(img, tf.float32) / 127.5 - 1.0


def contact_sheet(paths, target):
    row = []
    for path in paths[:4]:
        row.append(decode(path))
    sheet = tf.concat(row, axis=1)
    tf.keras.utils.save_img(target, np.asarray(sheet))


def sprites(paths, batch_size):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=AUTO)
    ds = ds.batch(batch_size)
    return ds.map(lambda x: (x, x), num_parallel_calls=AUTO).prefetch(AUTO)


def autoencoder():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((SIDE, SIDE, 3)),
            layers.Conv2D(32, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2D(64, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2DTranspose(32, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh"),
        ]
    )


def main():
    paths = sorted(glob.glob("/data/sprites/*.png"))
    contact_sheet(paths, "first.png")
    model = autoencoder()
    model.compile("adam", "mse")
    model.fit(sprites(paths, 64), epochs=30)


if __name__ == "__main__":
    main()
