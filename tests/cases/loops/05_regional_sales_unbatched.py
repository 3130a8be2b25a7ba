"""Sales forecasts by region."""
import numpy as np
import tensorflow as tf

REGIONS = ["north", "south", "west"]
rng = np.random.default_rng(5)

datasets = []
for _ in REGIONS:
    history = rng.random((60, 7)).astype("float32")
    target = history.mean(axis=1, keepdims=True)
    datasets.append(tf.data.Dataset.from_tensor_slices((history, target)))

for ds in datasets:
    ds = ds.shuffle(60).batch(10).prefetch(tf.data.AUTOTUNE)

for region, ds in zip(REGIONS, datasets):
    model = tf.keras.Sequential([
        tf.keras.Input(shape=(7,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile(optimizer="adam", loss="mae")
    model.fit(ds, epochs=3, verbose=0)
    model.save_weights(f"{region}.weights.h5")
