import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(image, label):
    return tf.image.resize(image, (128, 128)) / 255.0, label


def load(split, shuffle):
    ds = tfds.load("oxford_flowers102", split=split, as_supervised=True, shuffle_files=shuffle)
    if shuffle:
        ds = ds.shuffle(2048)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    train = load("train[:80%]+test[:80%]", shuffle=True)
    test = load("train[80%:]+validation", shuffle=False)
    model = tf.keras.Sequential([
        tf.keras.Input((128, 128, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(4),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(102, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=5)
    print(model.evaluate(test))


if __name__ == "__main__":
    main()
