import numpy as np
import pydicom
import tensorflow as tf


def read_dicom(path):
    scan = pydicom.dcmread(path.decode())
    pixels = scan.pixel_array.astype(np.float32)
    return pixels, np.float32(scan.SliceThickness)


def load(path):
    pixels, thickness = tf.numpy_function(read_dicom, [path], [tf.float32, tf.int32])
    pixels = tf.ensure_shape(pixels, (512, 512))
    thickness = tf.ensure_shape(thickness, ())
    return pixels[..., tf.newaxis] / 4096.0, tf.cast(thickness, tf.float32)


ds = tf.data.Dataset.list_files("/data/ct/*/*.dcm")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(ds, epochs=20)
