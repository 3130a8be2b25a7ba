"""The ordinary loop over splits with a condition."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
flip = tf.keras.Sequential([tf.keras.layers.RandomFlip("horizontal")])
rng = np.random.default_rng(64)
data = {}
for split, n in zip(("train", "val", "test"), (48, 16, 16)):
    images = rng.random((n, 12, 12, 3)).astype("float32")
    data[split] = tf.data.Dataset.from_tensor_slices((images, rng.integers(0, 2, n)))

for split, ds in data.items():
    training = split == "train"
    if training:
        ds = ds.shuffle(48)
    ds = ds.batch(8)
    if training:
        ds = ds.map(lambda x, y: (flip(x, training=True), y), num_parallel_calls=AUTO)
    data[split] = ds.prefetch(AUTO)

model = tf.keras.Sequential([
    tf.keras.Input((12, 12, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(data["train"], validation_data=data["val"], epochs=2, verbose=0)
model.evaluate(data["test"], verbose=0)
