import functools

import tensorflow as tf

OPTIONS = {"profile_batch": (10, 30), "log_dir": "logs/fashion", "update_freq": 50}
to_batches = functools.partial(tf.data.Dataset.batch, batch_size=100, num_parallel_calls=tf.data.AUTOTUNE)


def load(part, training):
    images, labels = part
    ds = tf.data.Dataset.from_tensor_slices((images[..., None], labels))
    if training:
        ds = ds.shuffle(len(images))
    return to_batches(ds).prefetch(tf.data.AUTOTUNE)


def confusion(model, ds):
    matrix = tf.zeros((10, 10), tf.int32)
    for images, labels in ds:
        guesses = tf.argmax(model(images, training=False), axis=1)
        matrix += tf.math.confusion_matrix(labels, guesses, num_classes=10)
    return matrix.numpy()


def main():
    first, second = tf.keras.datasets.fashion_mnist.load_data()
    train, test = load(first, True), load(second, False)
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1 / 255.0),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=5, validation_data=test, callbacks=[tf.keras.callbacks.TensorBoard(**OPTIONS)])
    print(confusion(model, test))


if __name__ == "__main__":
    main()
