import tensorflow as tf


def make_datasets(directory, size=(200, 200)):
    ds = tf.keras.utils.image_dataset_from_directory(
        directory,
        validation_split=0.2,
        seed=42,
        image_size=size,
        batch_size=32,
    )
    return ds.class_names, ds.prefetch(tf.data.AUTOTUNE)


class_names, train_ds = make_datasets("birds")
model = tf.keras.Sequential([
    tf.keras.Input((200, 200, 3)),
    tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(class_names), activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=10)
model.save("birds.keras")
