"""Weighted multi-input churn model."""
import numpy as np
import tensorflow as tf

npz = np.load("telco.npz")
usage = npz["usage"].astype("float32")          # (customers, 12, 5)
profile = npz["profile"].astype("float32")      # (customers, 23)
churned = npz["churned"].astype("float32")
weight = np.where(churned > 0, 4.0, 1.0).astype("float32")

rng = np.random.default_rng(5)
order = rng.permutation(len(churned))
usage, profile, churned, weight = (a[order] for a in (usage, profile, churned, weight))

inputs = tf.data.Dataset.from_tensor_slices({"usage": usage, "profile": profile})
labels = tf.data.Dataset.from_tensor_slices(churned)
weights = tf.data.Dataset.from_tensor_slices(weight)
full = tf.data.Dataset.zip((inputs, labels, weights))

n_val = len(churned) // 5
val = full.take(n_val).batch(512).prefetch(tf.data.AUTOTUNE)
train = (
    full.skip(n_val)
    .shuffle(len(churned) - n_val)
    .batch(512)
    .prefetch(tf.data.AUTOTUNE)
)

u = tf.keras.Input((12, 5), name="usage")
p = tf.keras.Input((23,), name="profile")
h = tf.keras.layers.LSTM(32)(u)
h = tf.keras.layers.Concatenate()([h, tf.keras.layers.Dense(32, activation="relu")(p)])
out = tf.keras.layers.Dense(1, activation="sigmoid")(h)
model = tf.keras.Model({"usage": u, "profile": p}, out)
model.compile("adam", "binary_crossentropy", weighted_metrics=["AUC"])

fit_options = dict(
    epochs=30,
    validation_data=val,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=4, restore_best_weights=True)],
)
model.fit(train, **fit_options)
model.save("churn.keras")
