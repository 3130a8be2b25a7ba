"""Road surface classifier."""
import glob

import cv2
import numpy as np
import tensorflow as tf

CLASSES = ["asphalt", "cobble", "gravel", "unpaved"]
H, W = 200, 320


def read_and_crop(path):
    img = cv2.imread(path.decode())
    img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)
    h = img.shape[0]
    img = img[h // 2:]
    img = cv2.resize(img, (W, H), interpolation=cv2.INTER_AREA)
    return img.astype(np.float32) / 255.0


def load(path, label):
    img = tf.numpy_function(read_and_crop, [path], tf.float32)
    img.set_shape((H, W, 3))
    return img, label


def make_ds(split, batch_size=32):
    files, labels = [], []
    for i, name in enumerate(CLASSES):
        found = sorted(glob.glob(f"/data/road/{split}/{name}/*.jpg"))
        files += found
        labels += [i] * len(found)
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    if split == "train":
        ds = ds.shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((H, W, 3)),
    tf.keras.layers.Conv2D(24, 5, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(36, 5, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(48, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(CLASSES), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(
    make_ds("train"),
    validation_data=make_ds("val"),
    epochs=30,
    callbacks=[tf.keras.callbacks.ModelCheckpoint("road.keras", save_best_only=True)],
)
