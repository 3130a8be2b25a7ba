import numpy as np
import pydicom
import tensorflow as tf


@tf.py_function(Tout=tf.float32)
def read_dicom(path):
    scan = pydicom.dcmread(path.numpy().decode())
    pixels = scan.pixel_array.astype(np.float32)
    return pixels * float(scan.RescaleSlope) + float(scan.RescaleIntercept)


def example(path, label):
    img = read_dicom(path)
    img = tf.reshape(img, (512, 512, 1))
    img = tf.clip_by_value((img + 1000.0) / 1400.0, 0.0, 1.0)
    return tf.image.resize(img, (256, 256)), label


def load_split(csv_file, batch_size):
    table = np.loadtxt(csv_file, delimiter=",", dtype=str)
    ds = tf.data.Dataset.from_tensor_slices((table[:, 0], table[:, 1].astype(np.int32)))
    ds = ds.shuffle(len(table))
    ds = ds.map(example, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


cnn = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(4),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
cnn.compile("adam", "binary_crossentropy", metrics=["AUC"])
cnn.fit(load_split("/data/lung/train.csv", 16), epochs=40)
