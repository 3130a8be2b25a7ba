import argparse

import tensorflow as tf


def read(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (256, 256), method="bicubic")
    return tf.image.per_image_standardization(image)


def rotated(ds, k):
    return ds.map(lambda x: (tf.image.rot90(x, k), k), num_parallel_calls=tf.data.AUTOTUNE)


def rotations(pattern, buffer):
    images = tf.data.Dataset.list_files(pattern, shuffle=False)
    images = images.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    ds = rotated(images, 0)
    for k in (1, 2, 3):
        ds = ds.concatenate(rotated(images, k))
    return ds


parser = argparse.ArgumentParser()
parser.add_argument("--images", default="unlabeled/*.png")
args = parser.parse_args()
train = rotations(args.images, 1000).batch(32).prefetch(tf.data.AUTOTUNE)
probe = tf.keras.models.load_model("rotation.keras")
print(probe.evaluate(train, return_dict=True))
