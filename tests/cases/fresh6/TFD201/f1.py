import numpy as np
import tensorflow as tf

paths = sorted(tf.io.gfile.glob("/data/volumes/*.npy"))
labels = np.load("/data/volumes_labels.npy")


def volumes():
    for path, label in zip(paths, labels):
        volume = np.load(path).astype("float32")
        yield volume / volume.max(), label


ds = tf.data.Dataset.from_generator(
    volumes,
    output_signature=(
        tf.TensorSpec(shape=(64, 64, 64, 1), dtype=tf.float32),
        tf.TensorSpec(shape=(), dtype=tf.int32),
    ),
)
ds = ds.shuffle(64).batch(4).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(3),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
