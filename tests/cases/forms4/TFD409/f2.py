import numpy as np
import tensorflow as tf


def make_split(features, labels, batch_size=64):
    ds = tf.data.Dataset.from_tensor_slices((features, labels))
    ds = ds.shuffle(len(labels))
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    data = np.load("wine.npz")
    train = make_split(data["x_train"], data["y_train"])
    test = make_split(data["x_test"], data["y_test"])

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(train, epochs=30)

    predictions = model.predict(test).ravel()
    truth = np.array(list(test.map(lambda x, y: y).unbatch().as_numpy_iterator()))
    print("mean residual", np.abs(predictions - truth).mean())


if __name__ == "__main__":
    main()
