import os

import tensorflow as tf

ROOT = "/data/insects"
labels = []
for folder, _, names in os.walk(ROOT):
    for name in names:
        if name.endswith(".jpg"):
            labels.append(int(name.split("_")[0]))

ds = tf.keras.utils.image_dataset_from_directory(
    ROOT, labels=labels, label_mode="int", image_size=(128, 128), seed=6)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(max(labels) + 1),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=10)
