import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

K.set_image_data_format("channels_first")

crops = np.load("crops/images.npy")
species = np.load("crops/species.npy")
crops = np.transpose(crops, (0, 3, 1, 2))


def to_float(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


train = tf.data.Dataset.from_tensor_slices((crops, species))
train = train.shuffle(len(species)).batch(256, drop_remainder=True)
train = train.map(to_float, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.ResNet50(weights=None, input_shape=(3, 64, 64), classes=120)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=30)
