import numpy as np
import tensorflow as tf

TREE = {"north": {"alta": 20, "bodo": 16}, "south": {"oslo": {"ward1": 24, "ward2": 12}}}


def collect(node, seed=0):
    """All leaves of the tree as a flat list of unbatched datasets."""
    found = []
    for name, child in node.items():
        if isinstance(child, dict):
            found.extend(collect(child, seed + 10))
        else:
            rng = np.random.default_rng(seed + child)
            x = rng.random((child, 6)).astype("float32")
            y = rng.integers(0, 2, child).astype("float32")
            found.append(tf.data.Dataset.from_tensor_slices((x, y)))
    return found


def join(items):
    if len(items) == 1:
        return items[0]
    return items[0].concatenate(join(items[1:]))


held_out, *sites = collect(TREE)
train = join(sites).shuffle(64).batch(8).prefetch(tf.data.AUTOTUNE)
valid = held_out.batch(8).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(train, validation_data=valid, epochs=2, verbose=0)
