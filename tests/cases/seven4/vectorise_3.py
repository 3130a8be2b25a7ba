import dataclasses

import keras
import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class Step:
    kind: str
    value: object = None


def scaler(table):
    lo, hi = table.min((0, 1)), table.max((0, 1))

    def scale(window, label):
        window = (window - lo) / (hi - lo + 1e-8)
        return 2.0 * window - 1.0, tf.one_hot(label, 18)

    return scale


def assemble(arrays, steps):
    ds = tf.data.Dataset.from_tensor_slices(arrays)
    for step in steps:
        match step:
            case Step("map", fn):
                ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
            case Step("shuffle", int(size)):
                ds = ds.shuffle(size)
            case Step("repeat"):
                ds = ds.repeat()
            case Step("batch", int(size)):
                ds = ds.batch(size, drop_remainder=True)
            case Step("prefetch"):
                ds = ds.prefetch(tf.data.AUTOTUNE)
            case _:
                raise ValueError(step)
    return ds


archive = np.load("/data/pamap2/windows.npz")
windows, labels = archive["windows"].astype("float32"), archive["labels"]

train = assemble((windows, labels), [
    Step("map", scaler(windows)),
    Step("shuffle", 100_000),
    Step("repeat"),
    Step("batch", 1024),
    Step("prefetch"),
])

model = keras.Sequential([keras.Input(windows.shape[1:])])
for width in (64, 128, 128):
    model.add(keras.layers.Conv1D(width, 5, activation="relu"))
model.add(keras.layers.GlobalAveragePooling1D())
model.add(keras.layers.Dense(18))
model.compile("adam", keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, steps_per_epoch=len(windows) // 1024, epochs=300)
