import os

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
CLASS_NAMES = ("daisy", "dandelion", "roses", "sunflowers", "tulips")


class FlowerDataModule:
    def __init__(self, root, batch_size=32, val_fraction=0.2):
        self.root = root
        self.batch_size = batch_size
        self.val_fraction = val_fraction
        self.paths = sorted(tf.io.gfile.glob(os.path.join(root, "*/*.jpg")))

    def _index(self):
        ds = tf.data.Dataset.from_tensor_slices(self.paths)
        return ds.shuffle(len(self.paths), seed=1337)

    def _decode(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [180, 180])
        folder = tf.strings.split(path, os.sep)[-2]
        label = tf.argmax(tf.cast(folder == tf.constant(CLASS_NAMES), tf.int32))
        return image, label

    def _finish(self, ds):
        ds = ds.map(self._decode, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(AUTOTUNE)

    def setup(self):
        index = self._index()
        val_size = int(len(self.paths) * self.val_fraction)
        self.train = self._finish(index.skip(val_size))
        self.val = self._finish(index.take(val_size))


def build_model():
    return tf.keras.Sequential([
        tf.keras.layers.Rescaling(1.0 / 255),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(len(CLASS_NAMES)),
    ])


def main():
    data = FlowerDataModule("/data/flower_photos")
    data.setup()
    model = build_model()
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(data.train, validation_data=data.val, epochs=20)


if __name__ == "__main__":
    main()
