"""Predicts the held-out plants with three checkpoints, and writes the submission."""
import os

import numpy as np
import pandas as pd
import tensorflow as tf

TEST_DIR = "data/plant_traits/held_out"
SIZE = 384
BATCH_SIZE = 32
CHECKPOINTS = ["models/fold0.h5", "models/fold1.h5", "models/fold2.h5"]
PARALLEL_CALLS = 16

ids = np.array(sorted(os.path.splitext(name)[0] for name in os.listdir(TEST_DIR)))


def read(image_id):
    path = tf.strings.join([TEST_DIR, "/", image_id, ".jpeg"])
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, [SIZE, SIZE], method=tf.image.ResizeMethod.BICUBIC)
    return tf.clip_by_value(image, 0.0, 255.0)


def flip(images):
    return tf.image.flip_left_right(images)


dataset = tf.data.Dataset.from_tensor_slices(ids)
dataset = dataset.map(read, num_parallel_calls=PARALLEL_CALLS)
dataset = dataset.batch(BATCH_SIZE)

columns = pd.read_csv("data/plant_traits/sample_submission.csv").columns[1:]
scale = np.load("models/trait_scale.npz")
total = np.zeros([len(ids), len(columns)])
for checkpoint in CHECKPOINTS:
    model = tf.keras.models.load_model(checkpoint, compile=False)
    start = 0
    for images in dataset:
        outputs = 0.5 * (model(images, training=False) + model(flip(images), training=False))
        total[start : start + len(outputs)] += outputs.numpy()
        start += len(outputs)
    print(checkpoint, "done:", start, "images")

traits = np.exp(total / len(CHECKPOINTS) * scale["std"] + scale["mean"])
submission = pd.DataFrame(traits, columns=columns)
submission.insert(0, "id", ids)
submission.to_csv("submission.csv", index=False)
