"""Satellite tiles: land use classification."""
import tensorflow as tf
import keras

PARALLEL = {"num_parallel_calls": tf.data.AUTOTUNE, "deterministic": False}


class Tiles:
    def __init__(self, root, batch_size):
        self.root = root
        self.batch_size = batch_size

    def _decode(self, record):
        ex = tf.io.parse_single_example(record, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "use": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_png(ex["png"], channels=3)
        return tf.image.resize(image, (128, 128)), ex["use"]

    def _augment(self, image, use):
        return tf.image.random_flip_left_right(tf.image.random_flip_up_down(image)), use

    def split(self, name):
        training = name == "train"
        ds = tf.data.Dataset.list_files(f"{self.root}/{name}-*.tfrecord", shuffle=training)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, **PARALLEL)
        if training:
            ds = ds.shuffle(10_000)
        for fn in [self._decode] + [self._augment] * training:
            ds = ds.map(fn, **PARALLEL)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    tiles = Tiles("/data/landuse", 128)
    model = keras.applications.ResNet50V2(weights=None, input_shape=(128, 128, 3), classes=21)
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(tiles.split("train"), validation_data=tiles.split("valid"), epochs=50)
