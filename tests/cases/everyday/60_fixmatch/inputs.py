import glob
import os

import tensorflow as tf

SIDE = 32


def read_image(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.image.convert_image_dtype(image, tf.float32)
    return tf.image.resize(image, [SIDE, SIDE])


def weak(image):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.resize_with_crop_or_pad(image, SIDE + 4, SIDE + 4)
    return tf.image.random_crop(image, [SIDE, SIDE, 3])


def strong(image):
    image = tf.image.random_hue(weak(image), 0.1)
    image = tf.image.random_saturation(image, 0.5, 1.5)
    return tf.image.random_contrast(image, 0.5, 1.5)


def labelled(root, batch_size):
    classes = sorted(os.listdir(root))
    paths = sorted(glob.glob(os.path.join(root, "*", "*.png")))
    labels = [classes.index(os.path.basename(os.path.dirname(path))) for path in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths)).repeat()
    ds = ds.map(lambda path, label: (weak(read_image(path)), label), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True)


def unlabelled(root, batch_size):
    paths = glob.glob(os.path.join(root, "*.png"))
    ds = tf.data.Dataset.from_tensor_slices(paths).map(read_image, num_parallel_calls=tf.data.AUTOTUNE).cache()
    ds = ds.shuffle(10_000).repeat()
    ds = ds.map(lambda image: (weak(image), strong(image)))
    return ds.batch(batch_size, drop_remainder=True)


def both(labelled_root, unlabelled_root, batch_size, ratio=7):
    return tf.data.Dataset.zip((labelled(labelled_root, batch_size), unlabelled(unlabelled_root, ratio * batch_size)))
