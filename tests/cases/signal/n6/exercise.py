import tensorflow as tf


def datasets():
    train = tf.keras.utils.image_dataset_from_directory(directory=None, batch_size=None, color_mode="grayscale")
    validation = tf.keras.utils.image_dataset_from_directory(directory=None, batch_size=None, color_mode="grayscale")
    return train, validation


train, validation = datasets()
model = tf.keras.Sequential([tf.keras.layers.Dense(24)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=15, validation_data=validation)
