import tensorflow as tf


class ImageReader:
    def __init__(self, channels=3):
        self.channels = channels

    def __call__(self, path):
        return tf.image.decode_image(tf.io.read_file(path), channels=self.channels, dtype=tf.float32)
