import numpy as np
import tensorflow as tf

SIZE = 64


def files(count):
    for i in range(count):
        yield f"/data/volumes/{i:05d}.raw"


def load(path, label):
    volume = tf.io.decode_raw(tf.io.read_file(path), tf.uint8)
    volume = tf.reshape(volume, (SIZE, SIZE, SIZE, 1))
    return tf.cast(volume, tf.float32) / 255.0, label


labels = np.load("/data/volumes_labels.npy")
paths = list(files(len(labels)))
ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(4).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv3D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling3D(),
    tf.keras.layers.Dense(3),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=20)
