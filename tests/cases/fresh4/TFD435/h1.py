import os

import tensorflow as tf

AGES = {"young": 0, "adult": 1, "old": 2}


def collect_labels(root):
    labels = []
    for folder, subfolders, names in os.walk(root):
        subfolders.sort()
        for name in sorted(names):
            if name.lower().endswith(".jpg"):
                labels.append(AGES[name.split("-")[0]])
    return labels


def dataset(root):
    ds = tf.keras.utils.image_dataset_from_directory(
        root,
        labels=collect_labels(root),
        image_size=(128, 128),
        batch_size=32,
        seed=17,
    )
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((128, 128, 3)),
    tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset("portraits"), epochs=15)
