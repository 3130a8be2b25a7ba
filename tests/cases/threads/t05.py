import numpy as np
import tensorflow as tf


def make_data(path):
    volume = np.load(path.numpy().decode())["frames"]
    return volume.astype(np.float32) / 255.0


@tf.function
def make_clean_data(path):
    clip = tf.py_function(make_data, [path], tf.float32)
    clip.set_shape(clip.get_shape())
    clip = tf.image.resize(clip, [224, 224])
    return clip, clip


files = sorted(tf.io.gfile.glob("clips/*.npz"))
ds = tf.data.Dataset.from_tensor_slices(files)
ds = ds.shuffle(len(files))
ds = ds.map(make_clean_data, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(2).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((20, 224, 224, 3)),
    tf.keras.layers.Conv3D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv3D(3, 3, padding="same", activation="sigmoid"),
])
model.compile(optimizer="adam", loss="mse")
model.fit(ds, epochs=10)
