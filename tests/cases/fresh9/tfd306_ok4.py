import tensorflow as tf


def from_dirs(root, size=(180, 180)):
    """Keras gives batches; 256 images per batch make the reading cheap."""
    return tf.keras.utils.image_dataset_from_directory(
        root, image_size=size, batch_size=256, shuffle=False)


class Rebatch:
    def __init__(self, batch_size, buffer_size, seed=17):
        self.batch_size = batch_size
        self.buffer_size = buffer_size
        self.seed = seed

    def elements(self, ds):
        return ds.unbatch()

    def __call__(self, ds):
        elements = self.elements(ds)
        mixed = elements.shuffle(self.buffer_size, seed=self.seed)
        return mixed.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    batched = from_dirs("/data/flowers/train")
    names = batched.class_names
    train = batched.apply(Rebatch(32, 8192))
    valid = from_dirs("/data/flowers/valid")
    model = tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(len(names), activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(train, validation_data=valid, epochs=15)


if __name__ == "__main__":
    main()
