import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
hours = np.arange(240, dtype=np.float32)
load = (np.sin(hours / 24 * 2 * np.pi) + rng.normal(0, 0.1, 240)).astype("float32")
pairs = np.stack([load[:-2], load[1:-1]], axis=1)
targets = load[2:]

data = {
    "fit": tf.data.Dataset.from_tensor_slices((pairs[:180], targets[:180])),
    "tune": tf.data.Dataset.from_tensor_slices((pairs[180:210], targets[180:210])),
}
data |= {"score": tf.data.Dataset.from_tensor_slices((pairs[210:], targets[210:]))}
data["fit"] = data["fit"].shuffle(180)
data |= {k: v.batch(20).prefetch(tf.data.AUTOTUNE) for k, v in data.items()}

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(data["fit"], validation_data=data["tune"], epochs=2, verbose=0)
print(model.evaluate(data.pop("score"), verbose=0), sorted(data))
