import os
import tempfile

import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
root = tempfile.mkdtemp()
for site in ("clinic_a", "clinic_b"):
    for split in ("train", "val"):
        for label in ("healthy", "ill"):
            os.makedirs(os.path.join(root, site, split, label))
            for i in range(6):
                png = tf.io.encode_png(np.random.randint(0, 255, (16, 16, 3), np.uint8))
                tf.io.write_file(os.path.join(root, site, split, label, f"{i}.png"), png)

scale = tf.keras.layers.Rescaling(1 / 255)
sites = {}
for site in sorted(os.listdir(root)):
    pair = []
    for split in ("train", "val"):
        pair.append(tf.keras.utils.image_dataset_from_directory(
            os.path.join(root, site, split),
            label_mode="binary",
            image_size=(16, 16),
            batch_size=4,
            shuffle=split == "train",
        ))
    sites[site] = [ds.map(lambda x, y: (scale(x), y), num_parallel_calls=AUTO).prefetch(AUTO) for ds in pair]

for site, (train, val) in sites.items():
    model = tf.keras.Sequential([
        tf.keras.Input((16, 16, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=2, verbose=0)
