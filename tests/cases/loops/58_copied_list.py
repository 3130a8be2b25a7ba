import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rng = np.random.default_rng(69)
sets = [
    tf.data.Dataset.from_tensor_slices((rng.normal(3, 2, (n, 5)).astype("float32"), rng.random(n).astype("float32")))
    for n in (80, 20)
]
untouched = list(sets)
sets[0] = sets[0].shuffle(80)
for i, ds in enumerate(sets):
    sets[i] = ds.batch(10).prefetch(AUTO)

normalise = tf.keras.layers.Normalization()
normalise.adapt(untouched[0].batch(40).map(lambda x, _: x, num_parallel_calls=AUTO).prefetch(AUTO))

model = tf.keras.Sequential([tf.keras.Input((5,)), normalise, tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
train, val = sets
model.fit(train, validation_data=val, epochs=2, verbose=0)
