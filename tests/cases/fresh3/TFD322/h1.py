import glob

import numpy as np
import tensorflow as tf


def volumes():
    for path in sorted(glob.glob("mri/*.npz")):
        with np.load(path) as arrays:
            scan = arrays["scan"].astype("float32")
            yield scan / scan.max(), int(arrays["diagnosis"])


ds = tf.data.Dataset.from_generator(
    volumes,
    output_signature=(
        tf.TensorSpec((64, 64, 64), tf.float32),
        tf.TensorSpec((), tf.int32),
    ),
)
ds = ds.shuffle(16)
ds = ds.map(lambda v, y: (v[..., tf.newaxis], y), num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(2).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(8, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
