"""Progressive resizing: 8, 12, then 16 pixels."""
import os
import tempfile

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
folder = tempfile.mkdtemp()
for i in range(24):
    image = np.random.randint(0, 255, (20, 20, 3), np.uint8)
    tf.io.write_file(os.path.join(folder, f"{i:02d}.jpg"), tf.io.encode_jpeg(image))
paths = [os.path.join(folder, f"{i:02d}.jpg") for i in range(24)]
labels = [i % 3 for i in range(24)]


def loader(size):
    def load(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, (size, size)) / 255.0, label
    return load


sizes = [8, 12, 16]
stages = []
for size in sizes:
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(loader(size), num_parallel_calls=AUTO)
    stages.append(ds.batch(6).prefetch(AUTO))

model = tf.keras.Sequential([
    tf.keras.Input((None, None, 3)),
    tf.keras.layers.Conv2D(4, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
for size, stage in zip(sizes, stages):
    print(size, model.fit(stage, epochs=2, verbose=0).history["loss"])
