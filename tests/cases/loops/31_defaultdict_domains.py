from collections import defaultdict

import numpy as np
import tensorflow as tf

FEEDS = [("text", 20), ("image", 12), ("text", 30), ("image", 18)]
groups = defaultdict(list)
totals = defaultdict(int)
for seed, (kind, n) in enumerate(FEEDS):
    rng = np.random.default_rng(seed)
    if kind == "text":
        x = rng.integers(0, 30, (n, 7))
    else:
        x = rng.random((n, 8, 8, 1)).astype("float32")
    groups[kind].append(tf.data.Dataset.from_tensor_slices((x, rng.integers(0, 2, n))))
    totals[kind] += n

networks = {
    "text": [tf.keras.layers.Embedding(30, 4), tf.keras.layers.GlobalMaxPooling1D()],
    "image": [tf.keras.layers.Conv2D(2, 3), tf.keras.layers.GlobalMaxPooling2D()],
}
for kind, members in groups.items():
    joined, *rest = members
    for other in rest:
        joined = joined.concatenate(other)
    joined = joined.shuffle(totals[kind]).batch(10).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.Sequential(networks[kind] + [tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy")
    model.fit(joined, epochs=2, verbose=0)
