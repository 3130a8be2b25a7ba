import numpy as np
import tensorflow as tf

NUM_SAMPLES = 5000
NUM_FEATURES = 24
NUM_CLASSES = 3


def load_arrays(path="sensors.npz"):
    with np.load(path) as data:
        x = data["x"].astype("float32")
        y = data["y"].astype("int32")
    mean, std = x.mean(axis=0), x.std(axis=0) + 1e-6
    return (x - mean) / std, y


def build_model():
    inputs = tf.keras.Input(shape=(NUM_FEATURES,))
    h = tf.keras.layers.Dense(64, activation="relu")(inputs)
    h = tf.keras.layers.Dropout(0.2)(h)
    outputs = tf.keras.layers.Dense(NUM_CLASSES, activation="softmax")(h)
    model = tf.keras.Model(inputs, outputs)
    model.compile(
        optimizer="adam",
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    x, y = load_arrays()
    train_ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(NUM_SAMPLES)

    model = build_model()
    model.summary()
    # before the move to tf.data this was model.fit(x, y, batch_size=32, epochs=20)
    history = model.fit(train_ds, batch_size=32, epochs=20)
    print("last loss", history.history["loss"][-1])
    model.save("sensors.keras")


if __name__ == "__main__":
    main()
