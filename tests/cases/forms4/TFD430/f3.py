import tensorflow as tf


class Leaves:
    def __init__(self, root, image_size=(224, 224)):
        self.root = root
        self.image_size = image_size

    def read(self, split, shuffle):
        return tf.keras.utils.image_dataset_from_directory(
            f"{self.root}/{split}",
            label_mode="categorical",
            image_size=self.image_size,
            batch_size=32,
            shuffle=shuffle,
        )

    def scale(self, images, labels):
        return tf.image.convert_image_dtype(images, dtype=tf.float32), labels

    def get(self, split, shuffle=False):
        ds = self.read(split, shuffle)
        return ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


leaves = Leaves("plant_village")
model = tf.keras.Sequential([
    tf.keras.Input((224, 224, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(38, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(leaves.get("train", shuffle=True), validation_data=leaves.get("valid"), epochs=10)
