import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
store = {}
for split, n in {"train": 80, "eval": 20}.items():
    a, b = rng.random((2, n, 6)).astype("float32")
    store["raw_" + split] = tf.data.Dataset.from_tensor_slices(({"left": a, "right": b}, (a * b).sum(1)))

for key in list(store):
    ds = store.pop(key)
    split = key.removeprefix("raw_")
    if split == "train":
        ds = ds.shuffle(80)
    store[split] = ds.batch(10).prefetch(tf.data.AUTOTUNE)

left = tf.keras.Input((6,), name="left")
right = tf.keras.Input((6,), name="right")
hidden = tf.keras.layers.Concatenate()([left, right])
output = tf.keras.layers.Dense(1)(tf.keras.layers.Dense(12, activation="relu")(hidden))
model = tf.keras.Model({"left": left, "right": right}, output)
model.compile("adam", "mse")
model.fit(store["train"], epochs=2, validation_data=store["eval"], verbose=0)
