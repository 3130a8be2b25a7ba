import tensorflow as tf
import tensorflow_datasets as tfds


def resize(image, label):
    return tf.image.resize(image, (160, 160)) / 255.0, label


def finish(ds, batch_size, training):
    ds = ds.map(resize, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(1000)
    return ds.batch(batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def main():
    train, val = tfds.load("beans", split=["train", "validation"], as_supervised=True)
    train = finish(train, 32, training=True)
    val = finish(val, 32, training=False)
    model = tf.keras.Sequential([
        tf.keras.Input((160, 160, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(3, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=15)


if __name__ == "__main__":
    main()
