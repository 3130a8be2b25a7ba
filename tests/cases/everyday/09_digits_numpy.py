import numpy as np
import tensorflow as tf

BATCH_SIZE = 128
EPOCHS = 5


def load_arrays(path="data/digits.npz"):
    with np.load(path) as data:
        return (data["x_train"], data["y_train"]), (data["x_test"], data["y_test"])


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


def main():
    (x_train, y_train), (x_test, y_test) = load_arrays()
    x_train, x_test = x_train[..., np.newaxis], x_test[..., np.newaxis]

    train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    train_ds = train_ds.shuffle(len(x_train))
    train_ds = train_ds.map(scale)
    train_ds = train_ds.batch(BATCH_SIZE)

    eval_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test))
    eval_ds = eval_ds.batch(BATCH_SIZE).map(scale).prefetch(tf.data.AUTOTUNE)

    model = tf.keras.models.Sequential(
        [
            tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(128, activation="relu"),
            tf.keras.layers.Dropout(0.3),
            tf.keras.layers.Dense(10),
        ]
    )
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.001),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[tf.keras.metrics.SparseCategoricalAccuracy()],
    )
    model.fit(train_ds, epochs=EPOCHS, validation_data=eval_ds)
    model.evaluate(eval_ds, verbose=2)


if __name__ == "__main__":
    main()
