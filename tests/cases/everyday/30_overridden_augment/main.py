import tensorflow as tf

from base import FolderData


class ColourData(FolderData):
    def augment(self, image, label):
        image = tf.image.random_hue(image, 0.05)
        image = tf.image.random_saturation(image, 0.8, 1.2)
        return image, label


def main():
    tf.keras.utils.set_random_seed(11)
    plain = FolderData("data/tiles")
    colour = ColourData("data/tiles")

    for name, data in (("plain", plain), ("colour", colour)):
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu", input_shape=(128, 128, 3)),
                tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
                tf.keras.layers.GlobalAveragePooling2D(),
                tf.keras.layers.Dense(len(data.class_names)),
            ]
        )
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
        history = model.fit(data.dataset(), epochs=5, verbose=0)
        print(name, history.history["accuracy"])


if __name__ == "__main__":
    main()
