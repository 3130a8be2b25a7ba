from collections import deque

import numpy as np
import tensorflow as tf

jobs = deque()
for seed, width in enumerate((2, 4, 8)):
    rng = np.random.default_rng(seed)
    x = rng.random((40, width)).astype("float32")
    jobs.append((width, tf.data.Dataset.from_tensor_slices((x, x.max(axis=1)))))

done = []
while jobs:
    width, ds = jobs.popleft()
    train = ds.skip(10).shuffle(30).batch(6).prefetch(tf.data.AUTOTUNE)
    check = ds.take(10).batch(10).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential([tf.keras.Input((width,)), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mae")
    model.fit(train, validation_data=check, epochs=2, verbose=0)
    done.append((width, model.count_params()))
print(done)
