"""Default risk, one model for each country."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
COUNTRIES = ("at", "be", "ch")
train_sets, test_sets = {}, {}
for seed, country in enumerate(COUNTRIES):
    rng = np.random.default_rng(seed)
    x = rng.random((70, 11)).astype("float32")
    y = (x[:, 0] > x[:, 1]).astype("float32")
    train_sets[country] = tf.data.Dataset.from_tensor_slices((x[:50], y[:50])).shuffle(50).batch(10).prefetch(AUTO)
    test_sets[country] = tf.data.Dataset.from_tensor_slices((x[50:], y[50:])).batch(10).prefetch(AUTO)

accuracy = {}
for country in COUNTRIES:
    model = tf.keras.Sequential([
        tf.keras.Input((11,)),
        tf.keras.layers.Dense(6, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train_sets[country], epochs=3, verbose=0)
    accuracy[country] = model.evaluate(train_sets[country], verbose=0, return_dict=True)["accuracy"]
print("test accuracy", accuracy)
