import tensorflow as tf


def make_model(num_classes):
    inputs = tf.keras.Input((128, 128, 3))
    x = tf.keras.layers.Rescaling(1.0 / 255)(inputs)
    for filters in (32, 64, 128):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(num_classes, activation="softmax")(x))


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def main():
    train = tf.keras.utils.image_dataset_from_directory(
        "vehicles", image_size=(128, 128), batch_size=64, seed=8
    )
    classes = train.class_names
    train = train.map(scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    model = make_model(len(classes))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=15)


if __name__ == "__main__":
    main()
