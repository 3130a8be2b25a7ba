import tensorflow as tf
import tensorflow_datasets as tfds


class FoodDataModule:
    NUM_CALLS = 24
    SIZE = (260, 260)

    def __init__(self, data_dir, batch_size=64):
        self.builder = tfds.builder("food101", data_dir=data_dir)
        self.batch_size = batch_size

    def prepare_data(self):
        self.builder.download_and_prepare()

    def _load(self, split, training):
        ds = self.builder.as_dataset(
            split=split, shuffle_files=training, as_supervised=True,
            decoders={"image": tfds.decode.SkipDecoding()})
        if training:
            ds = ds.shuffle(20000)
        return ds

    def _decode(self, encoded, label):
        image = tf.io.decode_jpeg(encoded, channels=3)
        return tf.image.resize(image, self.SIZE), label

    def loader(self, split, training=False):
        ds = self._load(split, training)
        ds = ds.map(self._decode, self.NUM_CALLS)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    dm = FoodDataModule("/data/tfds")
    dm.prepare_data()
    model = tf.keras.applications.EfficientNetB2(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dm.loader("train", True), validation_data=dm.loader("validation"), epochs=40)


if __name__ == "__main__":
    main()
