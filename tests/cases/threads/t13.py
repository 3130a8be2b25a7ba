import glob
import pickle

import numpy as np
import tensorflow as tf

BATCH_SIZE = 32
paths_training = sorted(glob.glob("rgbd/training/*/*.p"))
paths_validate = sorted(glob.glob("rgbd/validate/*/*.p"))


def tf_load_pickle(path, max_value):
    def py_load_pickle(path, max_value):
        with open(path.decode(), "rb") as f:
            rgbd, targets = pickle.load(f)
        return (rgbd / max_value).astype(np.float32), targets.astype(np.float32)

    rgbd, targets = tf.numpy_function(py_load_pickle, [path, max_value], [tf.float32, tf.float32])
    rgbd.set_shape((240, 180, 4))
    targets.set_shape((1,))
    return rgbd, targets


dataset_training = tf.data.Dataset.from_tensor_slices(paths_training)
dataset_training = dataset_training.shuffle(len(paths_training))
dataset_training = dataset_training.map(lambda path: tf_load_pickle(path, 255.0))
dataset_training = dataset_training.batch(BATCH_SIZE)
dataset_training = dataset_training.prefetch(tf.data.AUTOTUNE)

dataset_validate = tf.data.Dataset.from_tensor_slices(paths_validate)
dataset_validate = dataset_validate.map(lambda path: tf_load_pickle(path, 255.0))
dataset_validate = dataset_validate.batch(BATCH_SIZE)
dataset_validate = dataset_validate.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((240, 180, 4)),
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("nadam", "mse", metrics=["mae"])
model.fit(dataset_training, validation_data=dataset_validate, epochs=100)
