import glob
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for name in ("train", "valid"):
    os.makedirs(os.path.join(folder, name))
    for i in range(16):
        png = tf.io.encode_png(np.random.randint(0, 255, (20, 20, 3), np.uint8))
        tf.io.write_file(os.path.join(folder, name, f"{i % 2}_{i}.png"), png)


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    image = tf.ensure_shape(image, (20, 20, 3))
    label = tf.strings.to_number(tf.strings.split(tf.strings.split(path, os.sep)[-1], "_")[0], tf.int32)
    return image, label


built = {}
for name in ("train", "valid"):
    paths = sorted(glob.glob(os.path.join(folder, name, "*.png")))
    ds = tf.data.Dataset.from_tensor_slices(paths)
    if name == "train":
        ds = ds.shuffle(len(paths))
    built[name] = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(4)

model = tf.keras.Sequential([
    tf.keras.Input((20, 20, 3)), tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Flatten(), tf.keras.layers.Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(built["train"], validation_data=built["valid"], epochs=2, verbose=0)
