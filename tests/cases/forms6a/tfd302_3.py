import keras
import tensorflow as tf


class ImageFolder:
    def __init__(self, root, batch_size=64):
        self.root = root
        self.batch_size = batch_size

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [128, 128])
        parts = tf.strings.split(path, "/")
        return image, tf.strings.to_number(parts[-2], tf.int32)

    def elements(self):
        ds = tf.data.Dataset.list_files(f"{self.root}/*/*.jpg", shuffle=False)
        return ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)

    def batches(self):
        ds = self.elements().cache()
        return self.finish(ds)

    def finish(self, ds):
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


class AugmentedFolder(ImageFolder):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.layers = keras.Sequential([
            keras.layers.RandomFlip("horizontal"),
            keras.layers.RandomRotation(0.1),
            keras.layers.RandomZoom(0.1),
        ])

    def elements(self):
        return super().elements().map(
            lambda image, label: (self.layers(image, training=True), label),
            num_parallel_calls=tf.data.AUTOTUNE)

    def finish(self, ds):
        return super().finish(ds.shuffle(1_000))


def main():
    train = AugmentedFolder("/data/plants/train").batches()
    valid = ImageFolder("/data/plants/valid").batches()
    model = keras.Sequential([
        keras.layers.Rescaling(1 / 255.0),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Conv2D(64, 3, activation="relu"),
        keras.layers.GlobalAveragePooling2D(),
        keras.layers.Dense(38, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=40)


if __name__ == "__main__":
    main()
