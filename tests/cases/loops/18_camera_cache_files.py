import os
import tempfile

import numpy as np
import tensorflow as tf

CAMERAS = ["front", "left", "right"]
root = tempfile.mkdtemp()
for camera in CAMERAS:
    for part in range(2):
        with tf.io.TFRecordWriter(os.path.join(root, f"{camera}-{part}.tfrecord")) as out:
            for _ in range(12):
                frame = tf.io.encode_jpeg(np.random.randint(0, 255, (24, 24, 3), np.uint8)).numpy()
                out.write(tf.train.Example(features=tf.train.Features(feature={
                    "frame": tf.train.Feature(bytes_list=tf.train.BytesList(value=[frame])),
                    "steer": tf.train.Feature(float_list=tf.train.FloatList(value=[np.random.rand()])),
                })).SerializeToString())

SPEC = {"frame": tf.io.FixedLenFeature([], tf.string), "steer": tf.io.FixedLenFeature([], tf.float32)}


def decode(record):
    example = tf.io.parse_single_example(record, SPEC)
    frame = tf.io.decode_jpeg(example["frame"], channels=3)
    return tf.ensure_shape(frame, (24, 24, 3)), example["steer"]


by_camera = {}
for camera in CAMERAS:
    files = sorted(tf.io.gfile.glob(os.path.join(root, camera + "-*.tfrecord")))
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).cache(os.path.join(root, f"cache_{camera}"))
    by_camera[camera] = ds.shuffle(24).batch(6).prefetch(tf.data.AUTOTUNE)

for camera, ds in by_camera.items():
    model = tf.keras.Sequential([
        tf.keras.Input((24, 24, 3)), tf.keras.layers.Rescaling(1 / 255),
        tf.keras.layers.Conv2D(4, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(ds, epochs=2, verbose=0)
