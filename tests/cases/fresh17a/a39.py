import numpy as np
import tensorflow as tf

ROWS, HELD, BATCH = 6000, 1024, 64
rng = np.random.default_rng(5)


def pendulum(n):
    state = rng.normal(size=(n, 3)).astype("float32")
    push = (0.3 * state[:, :1] - state[:, 1:2] ** 2 + state[:, 2:]).astype("float32")
    return state, push


def split():
    order = rng.permutation(ROWS)
    state, push = pendulum(ROWS)
    rows = tf.data.Dataset.from_tensor_slices((state[order], push[order]))
    val = rows.take(HELD).batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    train = rows.skip(HELD).shuffle(ROWS - HELD).batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return train, val


def surrogate():
    return tf.keras.Sequential([
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(64, activation="tanh"),
        tf.keras.layers.Dense(64, activation="tanh"),
        tf.keras.layers.Dense(1),
    ])


if __name__ == "__main__":
    train, val = split()
    model = surrogate()
    model.compile("adam", "mse")
    model.fit(train, validation_data=val, epochs=30, verbose=2)
    print(model.evaluate(val))
