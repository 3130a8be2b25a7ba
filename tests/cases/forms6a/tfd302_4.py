import keras
import tensorflow as tf


class ImageFolder:
    def __init__(self, root, batch_size=64, valid_share=0.1):
        self.paths = sorted(tf.io.gfile.glob(f"{root}/*/*.jpg"))
        self.valid_count = int(len(self.paths) * valid_share)
        self.batch_size = batch_size
        self.layers = keras.Sequential([
            keras.layers.RandomFlip("horizontal"),
            keras.layers.RandomRotation(0.1),
        ])

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [128, 128])
        parts = tf.strings.split(path, "/")
        return image, tf.strings.to_number(parts[-2], tf.int32)

    def split(self):
        # One fixed order, so that both parts stay the same in all epochs.
        paths = tf.data.Dataset.from_tensor_slices(self.paths).shuffle(
            len(self.paths), seed=11, reshuffle_each_iteration=False)
        parts = paths.skip(self.valid_count), paths.take(self.valid_count)
        return [
            part.map(self.load, num_parallel_calls=tf.data.AUTOTUNE).cache()
            for part in parts
        ]

    def batches(self):
        train, valid = self.split()
        train = train.shuffle(1_000).batch(self.batch_size)
        train = train.map(
            lambda image, label: (self.layers(image, training=True), label),
            num_parallel_calls=tf.data.AUTOTUNE)
        valid = valid.batch(self.batch_size)
        return train.prefetch(tf.data.AUTOTUNE), valid.prefetch(tf.data.AUTOTUNE)


def main():
    train, valid = ImageFolder("/data/plants").batches()
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
