import tensorflow as tf

from data import train_dataset
from ops import NUM_CLASSES


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Input((32 * 32 * 4,)),
        tf.keras.layers.Reshape((32, 32, 4)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(NUM_CLASSES, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_dataset("/data/sentinel/train-*.tfrecord", 256), epochs=30)


if __name__ == "__main__":
    main()
