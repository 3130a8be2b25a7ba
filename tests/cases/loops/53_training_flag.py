import numpy as np
import tensorflow as tf

PHASES = {"train": (0, 150), "dev": (150, 175), "test": (175, 200)}
rng = np.random.default_rng(65)
points = rng.normal(size=(200, 2)).astype("float32")
circle = (np.hypot(*points.T) < 1).astype("float32")


def pipeline(bounds, training):
    window = slice(*bounds)
    ds = tf.data.Dataset.from_tensor_slices((points[window], circle[window]))
    if training:
        ds = ds.shuffle(bounds[1] - bounds[0])
    return ds.batch(25).prefetch(tf.data.AUTOTUNE)


sets = {phase: pipeline(bounds, training=phase == "train") for phase, bounds in PHASES.items()}

model = tf.keras.Sequential([
    tf.keras.Input((2,)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(sets["train"], validation_data=sets["dev"], epochs=3, verbose=0)
for phase in ("dev", "test"):
    print(phase, model.evaluate(sets[phase], verbose=0))
