import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
arrays = np.load("mushroom.npz")
cut = int(0.8 * len(arrays["y"]))
rows = {"train": slice(0, cut), "val": slice(cut, None)}
splits = {
    name: tf.data.Dataset.from_tensor_slices((arrays["x"][part].astype("float32"), arrays["y"][part]))
    for name, part in rows.items()
}
splits["train"].shuffle(cut)
splits = {name: ds.batch(64).prefetch(AUTO) for name, ds in splits.items()}

model = tf.keras.Sequential([
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(splits["train"], validation_data=splits["val"], epochs=10)
