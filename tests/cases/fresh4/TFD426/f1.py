import numpy as np
import tensorflow as tf


def scaled(x, y, weight):
    return tf.math.asinh(x), y, weight


def main():
    table = np.load("particles.npz")
    events = tf.data.Dataset.from_tensor_slices((table["x"], table["y"]))
    weights = tf.data.Dataset.from_tensor_slices(table["w"])
    ds = tf.data.Dataset.zip((events, weights)).shuffle(50_000)
    ds = ds.map(scaled, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(512).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(ds, epochs=10)


if __name__ == "__main__":
    main()
