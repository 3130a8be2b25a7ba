import multiprocessing
import pathlib

import tensorflow as tf


def shrink(path):
    from PIL import Image
    with Image.open(path) as im:
        im.convert("RGB").resize((96, 96)).save(pathlib.Path("small") / path.name)


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.ensure_shape(tf.cast(image, tf.float32) / 127.5 - 1.0, (96, 96, 3))


if __name__ == "__main__":
    dataset = sorted(pathlib.Path("big").glob("*.jpg"))
    with multiprocessing.Pool() as pool:
        pool.map(shrink, dataset)
    ds = tf.data.Dataset.list_files("small/*.jpg")
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda x: (x, x), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
    auto = tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh"),
    ])
    auto.compile("adam", "mse")
    auto.fit(ds, epochs=5)
