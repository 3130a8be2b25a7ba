import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


class SegmentationData:
    def __init__(self, root, size=256, batch_size=8):
        self.root = root
        self.size = size
        self.batch_size = batch_size

    def _image_files(self):
        return Dataset.list_files(f"{self.root}/leftImg8bit/train/*/*.png")

    def _mask_files(self):
        return Dataset.list_files(f"{self.root}/gtFine/train/*/*_labelTrainIds.png")

    def _read(self, image_path, mask_path):
        image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        image = tf.image.resize(image, [self.size, 2 * self.size]) / 255.0
        mask = tf.image.resize(mask, [self.size, 2 * self.size], method="nearest")
        return image, tf.minimum(mask, 19)

    def train(self):
        ds = Dataset.zip((self._image_files(), self._mask_files()))
        ds = ds.map(self._read, num_parallel_calls=AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(AUTOTUNE)


def build_model(size):
    inputs = tf.keras.Input((size, 2 * size, 3))
    skip = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    x = tf.keras.layers.MaxPooling2D()(skip)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.UpSampling2D()(x)
    x = tf.keras.layers.Concatenate()([x, skip])
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(20, 1, activation="softmax")(x))


def main():
    data = SegmentationData("/data/cityscapes")
    model = build_model(data.size)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data.train(), epochs=60)
    model.save("segment.keras")


if __name__ == "__main__":
    main()
