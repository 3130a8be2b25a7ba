import numpy as np
import tensorflow as tf

subjects = {}
for s in range(4):
    rng = np.random.default_rng(s)
    eeg = rng.normal(size=(25, 14)).astype("float32")
    subjects[f"s{s:02d}"] = tf.data.Dataset.from_tensor_slices((eeg, rng.integers(0, 2, 25).astype("float32")))

report = []
for name in subjects:
    others = dict(subjects)
    test = others.pop(name).batch(25).prefetch(tf.data.AUTOTUNE)
    train = None
    for ds in others.values():
        train = ds if train is None else train.concatenate(ds)
    train = train.shuffle(75).batch(15).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([tf.keras.Input((14,)), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=2, verbose=0)
    report.append((name, model.evaluate(test, verbose=0)[1]))
print(report)
