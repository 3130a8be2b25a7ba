import glob

import keras

from data import train_input


def make_model():
    return keras.Sequential([
        keras.layers.Embedding(32_000, 256),
        keras.layers.Bidirectional(keras.layers.LSTM(128)),
        keras.layers.Dense(2, activation="softmax"),
    ])


if __name__ == "__main__":
    dataset = train_input(sorted(glob.glob("/data/reviews/train-*.tfrecord")), 256)
    net = make_model()
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(dataset, steps_per_epoch=2_000, epochs=10)
