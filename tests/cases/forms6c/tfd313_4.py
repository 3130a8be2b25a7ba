import tensorflow as tf

MEAN = tf.constant([123.7, 116.3, 103.5])
STD = tf.constant([58.4, 57.1, 57.4])


class TileLoader:
    def __init__(self, pattern, batch_size=64, crop=256):
        self.pattern = pattern
        self.batch_size = batch_size
        self.crop = crop

    def _read(self, serialized):
        parsed = tf.io.parse_single_example(serialized, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "cover": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_png(parsed["png"], channels=3)
        cover = tf.cast(parsed["cover"], tf.float32) / 100.0
        return tf.ensure_shape(image, [320, 320, 3]), cover

    def _augment(self, image, cover):
        image = tf.image.random_crop(image, [self.crop, self.crop, 3])
        return tf.image.random_flip_left_right(image), cover

    def _normalize(self, image, cover):
        return (tf.cast(image, tf.float32) - MEAN) / STD, cover

    def build(self):
        ds = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                           deterministic=False)
        ds = ds.shuffle(5000)
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._augment, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._normalize, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.applications.ResNet50(weights=None, input_shape=(256, 256, 3), classes=1,
                                           classifier_activation="sigmoid")
    model.compile("adam", "binary_crossentropy")
    model.fit(TileLoader("/data/tiles/train-*.tfrecord").build(), epochs=50)
