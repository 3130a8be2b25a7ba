import numpy as np
import tensorflow as tf
from PIL import Image


def _open(path):
    with Image.open(path.decode()) as im:
        return np.asarray(im.convert("RGB").resize((256, 256)), dtype=np.float32) / 255.0


def with_image(path):
    image = tf.numpy_function(_open, [path], tf.float32)
    image.set_shape((256, 256, 3))
    return path, image
