import keras
import numpy as np
import tensorflow as tf


def embeddings(net, ds):
    for image, label in ds.unbatch():
        batch = tf.reshape(image, (1, 160, 160, 3))
        yield net(batch, training=False).numpy()[0], int(label)


gallery = keras.utils.image_dataset_from_directory(
    "people", image_size=(160, 160), shuffle=False)
gallery = gallery.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
facenet = keras.models.load_model("facenet.keras")

vectors, owners = [], []
for vector, owner in embeddings(facenet, gallery):
    vectors.append(vector / np.linalg.norm(vector))
    owners.append(owner)
np.savez("gallery.npz", vectors=np.stack(vectors), owners=np.array(owners))
