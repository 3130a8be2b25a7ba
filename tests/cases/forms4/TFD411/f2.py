import numpy as np
import tensorflow as tf

TOTAL = 1000
TRAIN_SIZE = 800
BATCH_SIZE = 20


def synthetic(total):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(total, 6)).astype("float32")
    y = (x.sum(axis=1) > 0).astype("float32")
    return x, y


def splits():
    x, y = synthetic(TOTAL)
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH_SIZE)
    train = batches.take(TRAIN_SIZE).shuffle(50)
    val = batches.skip(TRAIN_SIZE)
    return train.prefetch(tf.data.AUTOTUNE), val.prefetch(tf.data.AUTOTUNE)


train_ds, val_ds = splits()
model = tf.keras.Sequential([
    tf.keras.Input((6,)),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=10)
model.evaluate(val_ds)
