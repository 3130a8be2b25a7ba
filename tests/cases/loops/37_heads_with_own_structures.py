import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(22)
x = rng.random((64, 6)).astype("float32")

tasks = (
    ("boxes", x[:, :4], 4, "mse"),
    ("score", x.sum(1), 1, "mae"),
    ("kind", tf.one_hot(rng.integers(0, 3, 64), 3).numpy(), 3, "categorical_crossentropy"),
)
prepared = ()
for name, target, units, loss in tasks:
    ds = tf.data.Dataset.from_tensor_slices(({"features": x}, {name: target}))
    prepared += ((name, ds.shuffle(64).batch(16).prefetch(AUTO), units, loss),)

for name, ds, units, loss in prepared:
    inp = tf.keras.Input((6,), name="features")
    activation = "softmax" if loss.startswith("categorical") else None
    out = tf.keras.layers.Dense(units, activation=activation, name=name)(inp)
    model = tf.keras.Model({"features": inp}, {name: out})
    model.compile("adam", {name: loss})
    model.fit(ds, epochs=2, verbose=0)
