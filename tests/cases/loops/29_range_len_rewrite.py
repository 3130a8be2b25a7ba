import numpy as np
import tensorflow as tf

rng = np.random.default_rng(77)
datasets = [
    tf.data.Dataset.from_tensor_slices((
        rng.random((n, 12)).astype("float32"),
        rng.integers(0, 3, n),
    ))
    for n in (60, 36, 24)
]
sizes = [int(ds.cardinality()) for ds in datasets]

for i in range(len(datasets)):
    datasets[i] = datasets[i].shuffle(sizes[i])
for i in range(len(datasets)):
    datasets[i] = datasets[i].batch(12)
for i in range(len(datasets)):
    datasets[i] = datasets[i].prefetch(tf.data.AUTOTUNE)

for i in range(len(datasets)):
    model = tf.keras.Sequential([tf.keras.Input((12,)), tf.keras.layers.Dense(3)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(datasets[i], epochs=2, verbose=0)
