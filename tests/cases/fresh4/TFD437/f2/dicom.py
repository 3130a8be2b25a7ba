import pydicom
import tensorflow as tf

SHAPE = (320, 320)


def read(path):
    scan = pydicom.dcmread(path.numpy().decode())
    return tf.convert_to_tensor(scan.pixel_array, tf.float32)


def load_slice(path):
    pixels = tf.py_function(read, [path], tf.float32).set_shape(SHAPE)
    pixels = pixels / tf.reduce_max(pixels)
    return pixels[..., tf.newaxis]
