import tensorflow as tf


class Documents:
    def __init__(self, root):
        self.root = root

    def load(self, subset):
        return tf.keras.utils.image_dataset_from_directory(
            self.root,
            label_mode="sparse",
            validation_split=0.25,
            subset=subset,
            seed=77,
            color_mode="grayscale",
            image_size=(256, 192),
            batch_size=16,
        )


documents = Documents("forms")
train = documents.load("training").prefetch(tf.data.AUTOTUNE)
valid = documents.load("validation").prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((256, 192, 1)),
    tf.keras.layers.Rescaling(1 / 255),
    tf.keras.layers.Conv2D(16, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(7, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=valid, epochs=10)
