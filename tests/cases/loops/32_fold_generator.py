"""Cross-validation with a generator of (train, validation) pairs."""
import numpy as np
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def folds(x, y, k):
    whole = tf.data.Dataset.from_tensor_slices((x, y))
    pieces = [whole.shard(k, i) for i in range(k)]
    for i in range(k):
        rest = pieces[:i] + pieces[i + 1:]
        train = rest[0]
        for piece in rest[1:]:
            train = train.concatenate(piece)
        yield train.shuffle(len(x)).batch(8).prefetch(AUTO), pieces[i].batch(8).prefetch(AUTO)


rng = np.random.default_rng(19)
inputs = rng.normal(size=(96, 4)).astype("float32")
targets = np.abs(inputs).sum(axis=1)

losses = []
for train, valid in folds(inputs, targets, k=4):
    model = tf.keras.Sequential([
        tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(train, epochs=2, verbose=0)
    losses.append(model.evaluate(valid, verbose=0))
print(losses)
