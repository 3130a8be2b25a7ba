import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(61)
plants = {}
for plant in ("A", "B", "C"):
    x = rng.random((120, 6)).astype("float32")
    plants[plant] = tf.data.Dataset.from_tensor_slices((x, x.prod(axis=1)))

plants = {plant: ds.batch(10) for plant, ds in plants.items()}
for plant in plants:
    plants[plant] = plants[plant].shuffle(120).prefetch(AUTO)

for plant, ds in plants.items():
    model = tf.keras.Sequential([
        tf.keras.Input((6,)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(ds, epochs=2, verbose=0)
    model.save_weights(f"plant_{plant}.weights.h5")
