import numpy as np
import tensorflow as tf

BATCH_SIZE = 128


def image_dataset(images):
    ds = tf.data.Dataset.from_tensor_slices(images)
    ds = ds.shuffle(len(images))
    return ds.map(
        lambda x: tf.cast(x, tf.float32)[..., tf.newaxis] / 255.0,
        num_parallel_calls=tf.data.AUTOTUNE,
    )


def label_dataset(labels, classes):
    ds = tf.data.Dataset.from_tensor_slices(labels)
    ds = ds.shuffle(len(labels))
    return ds.map(lambda y: tf.one_hot(y, classes), num_parallel_calls=tf.data.AUTOTUNE)


def training_data(images, labels, classes=10):
    pairs = tf.data.Dataset.zip((image_dataset(images), label_dataset(labels, classes)))
    return pairs.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)


def cnn():
    return tf.keras.Sequential(
        [
            tf.keras.Input((28, 28, 1)),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10, activation="softmax"),
        ]
    )


def main():
    (x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
    model = cnn()
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    model.fit(training_data(x_train, y_train), epochs=10)
    test = x_test[..., np.newaxis].astype("float32") / 255.0
    print(model.evaluate(test, tf.keras.utils.to_categorical(y_test, 10)))


if __name__ == "__main__":
    main()
