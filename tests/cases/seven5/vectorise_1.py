"""EMNIST letters with a small CNN."""
import numpy as np
import tensorflow as tf
import keras

NUM_CLASSES = 26


def load(path):
    with np.load(path) as f:
        return (f["x_train"], f["y_train"] - 1), (f["x_test"], f["y_test"] - 1)


def to_dataset(images, labels, batch_size, training):
    ds = tf.data.Dataset.from_tensor_slices((images[..., np.newaxis], labels))
    if training:
        ds = ds.shuffle(len(images))
    ds = ds.map(
        lambda x, y: (tf.cast(x, tf.float32) / 255.0, tf.one_hot(y, NUM_CLASSES)),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    ds = ds.batch(batch_size)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model():
    return keras.Sequential([
        keras.Input((28, 28, 1)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dropout(0.5),
        keras.layers.Dense(NUM_CLASSES),
    ])


def main():
    (x_train, y_train), (x_test, y_test) = load("/data/emnist-letters.npz")  # 124,800 and 20,800
    train = to_dataset(x_train, y_train, 256, True)
    test = to_dataset(x_test, y_test, 1024, False)
    model = build_model()
    model.compile(
        optimizer="adam",
        loss=keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1),
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=test, epochs=30)
    model.save("/models/emnist.keras")


if __name__ == "__main__":
    main()
