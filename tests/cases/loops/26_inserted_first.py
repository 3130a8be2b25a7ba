import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
x = rng.random((90, 4)).astype("float32")
y = (x @ np.array([1, 2, 3, 4], "float32"))[:, None]
AUTO = tf.data.AUTOTUNE

pools = []
for a in (0, 30):
    pools.append(tf.data.Dataset.from_tensor_slices((x[a:a + 30], y[a:a + 30])))
pools.insert(0, tf.data.Dataset.from_tensor_slices((x[60:], y[60:])))

valid = pools[0].batch(15).prefetch(AUTO)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for pool in pools[1:]:
    model.fit(pool.shuffle(30).batch(15).prefetch(AUTO), validation_data=valid, epochs=2, verbose=0)
