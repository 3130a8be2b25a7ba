"""Plant leaves with a cache on disk."""
import os
import tempfile

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
root = tempfile.mkdtemp()
for split in ("train", "val"):
    os.makedirs(os.path.join(root, split))
    for i in range(16):
        leaf = np.random.randint(0, 255, (24, 24, 3), np.uint8)
        tf.io.write_file(os.path.join(root, split, f"{i}.jpg"), tf.io.encode_jpeg(leaf))


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (12, 12)) / 255.0, label


sets = {}
for split in ("train", "val"):
    paths = [os.path.join(root, split, f"{i}.jpg") for i in range(16)]
    ds = tf.data.Dataset.from_tensor_slices((paths, [i % 2 for i in range(16)]))
    ds = ds.map(read, num_parallel_calls=AUTO)
    sets[split] = ds.cache(os.path.join(root, "leaves.cache"))
sets["train"] = sets["train"].shuffle(16)
for split in sets:
    sets[split] = sets[split].batch(4).prefetch(AUTO)

model = tf.keras.Sequential([
    tf.keras.Input((12, 12, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(sets["train"], validation_data=sets["val"], epochs=2, verbose=0)
