import keras
import tensorflow as tf


def read_directory(path):
    ds = keras.utils.image_dataset_from_directory(path, image_size=(128, 128), batch_size=32)
    return ds.prefetch(tf.data.AUTOTUNE)
