import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


class PatchModule:
    def __init__(self, files, patch=256, batch_size=16):
        self.files = files
        self.patch = patch
        self.batch_size = batch_size

    @staticmethod
    def load(path):
        return tf.io.decode_png(tf.io.read_file(path), channels=3)

    @staticmethod
    def to_float(image):
        return tf.image.convert_image_dtype(image, tf.float32)

    def take_patch(self, image):
        image = tf.image.random_crop(image, (self.patch, self.patch, 3))
        image = tf.image.random_flip_left_right(image)
        return tf.image.random_flip_up_down(image)

    def degrade(self, image):
        small = tf.image.resize(image, (self.patch // 4, self.patch // 4),
                                method="bicubic")
        return small, image

    def train_dataset(self):
        ds = Dataset.from_tensor_slices(self.files).shuffle(len(self.files))
        for stage in (self.load, self.take_patch, self.to_float, self.degrade):
            ds = ds.map(stage, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTOTUNE)
