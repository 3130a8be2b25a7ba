import tensorflow as tf

MEAN = tf.constant([123.7, 116.3, 103.5])
STD = tf.constant([58.4, 57.1, 57.4])


class TileLoader:
    """Satellite tiles of 320 x 320 in PNG."""

    def __init__(self, pattern, batch_size=64, crop=256):
        self.pattern = pattern
        self.batch_size = batch_size
        self.crop = crop

    def _read(self, serialized):
        parsed = tf.io.parse_single_example(serialized, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_png(parsed["png"], channels=3)
        return tf.ensure_shape(image, [320, 320, 3]), parsed["label"]

    def _normalize(self, image, label):
        image = (tf.cast(image, tf.float32) - MEAN) / STD
        return image, label

    def _augment(self, image, label):
        return tf.image.random_crop(image, [self.crop, self.crop, 3]), label

    def build(self, training=True):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=training)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=not training)
        if training:
            ds = ds.shuffle(5000)
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._normalize, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    loader = TileLoader("/data/tiles/train-*.tfrecord")
    model = tf.keras.applications.ResNet50(weights=None, input_shape=(256, 256, 3), classes=21)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(loader.build(), epochs=50)
