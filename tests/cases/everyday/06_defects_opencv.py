import argparse
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--images", type=Path, required=True)
parser.add_argument("--size", type=int, default=256)
parser.add_argument("--batch", type=int, default=16)
args = parser.parse_args()

clahe = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8))


def load_xray(path):
    image = cv2.imread(path.decode(), cv2.IMREAD_GRAYSCALE)
    image = cv2.resize(image, (args.size, args.size), interpolation=cv2.INTER_AREA)
    image = clahe.apply(image)
    return image[..., None].astype(np.float32) / 255.0


def load(path, label):
    image = tf.numpy_function(load_xray, [path], tf.float32)
    image.set_shape([args.size, args.size, 1])
    return image, label


good = sorted(str(p) for p in args.images.glob("good/*.png"))
bad = sorted(str(p) for p in args.images.glob("defect/*.png"))
paths = np.array(good + bad)
labels = np.array([0] * len(good) + [1] * len(bad), dtype=np.float32)

dataset = tf.data.Dataset.from_tensor_slices((paths, labels))
dataset = dataset.shuffle(len(paths), reshuffle_each_iteration=True)
dataset = dataset.map(load)
dataset = dataset.batch(args.batch)

model = keras.Sequential(
    [
        keras.layers.Conv2D(32, 3, activation="relu", input_shape=(args.size, args.size, 1)),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.GlobalMaxPooling2D(),
        keras.layers.Dense(1),
    ]
)
model.compile("adam", keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
weights = {0: len(bad) / len(paths), 1: len(good) / len(paths)}
model.fit(dataset, epochs=30, class_weight=weights, callbacks=[keras.callbacks.CSVLogger("defects.csv")])
model.save("defects.h5")
