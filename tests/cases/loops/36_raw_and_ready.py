import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
raw, ready = {}, {}
for machine in ("lathe", "mill", "press"):
    vib = rng.normal(size=(40, 10)).astype("float32")
    worn = rng.integers(0, 2, 40)
    raw[machine] = tf.data.Dataset.from_tensor_slices((vib, worn))

for machine, ds in raw.items():
    ready[machine] = ds.shuffle(40, seed=1).batch(8).prefetch(tf.data.AUTOTUNE)

for machine in raw:
    first = raw[machine].element_spec
    model = tf.keras.Sequential([tf.keras.Input(first[0].shape), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy")
    model.fit(ready[machine], epochs=2, verbose=0)
    print(machine, raw[machine].cardinality().numpy(), first[1].dtype)
