"""Call classifiers for owls, one for each species."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SPECIES = {"barn": 60, "tawny": 40, "eagle": 50}
rng = np.random.default_rng(71)

train, val = {}, {}
for species, n in SPECIES.items():
    spectra = rng.random((n, 20)).astype("float32")
    male = rng.integers(0, 2, n).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((spectra, male)).shuffle(n)
    val[species] = ds.take(n // 5).batch(10).prefetch(AUTO)
    train[species] = ds.skip(n // 5).batch(10).prefetch(AUTO)

for species in SPECIES:
    model = tf.keras.Sequential([
        tf.keras.Input((20,)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train[species], validation_data=val[species], epochs=3, verbose=0)
    print(species, model.count_params())
