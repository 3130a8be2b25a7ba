from collections import namedtuple

import numpy as np
import tensorflow as tf

Data = namedtuple("Data", "train dev test")
rng = np.random.default_rng(2)
values = rng.normal(size=(120, 4)).astype("float32")
labels = (values.sum(axis=1) > 0).astype("int32")

whole = tf.data.Dataset.from_tensor_slices((values, labels))
raw = Data(
    train=whole.take(80),
    dev=whole.skip(80).take(20),
    test=whole.skip(100),
)
raw = raw._replace(train=raw.train.shuffle(80, seed=1))
data = Data._make(ds.batch(16).prefetch(tf.data.AUTOTUNE) for ds in raw)

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(data.train, validation_data=data.dev, epochs=3, verbose=0)
for name, ds in zip(data._fields, data):
    print(name, model.evaluate(ds, verbose=0))
