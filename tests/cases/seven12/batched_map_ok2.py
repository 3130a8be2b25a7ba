import tensorflow as tf


class PhotoPipeline:
    size = 224

    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    def _decode(self, record):
        ex = tf.io.parse_single_example(record, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        # photos differ in height and width until the crop is resized
        shape = tf.io.extract_jpeg_shape(ex["jpeg"])
        begin, extent, _ = tf.image.sample_distorted_bounding_box(
            shape, tf.zeros([1, 0, 4]), area_range=(0.08, 1.0), min_object_covered=0.0,
            use_image_if_no_bounding_boxes=True)
        y, x, _ = tf.unstack(begin)
        h, w, _ = tf.unstack(extent)
        image = tf.image.decode_and_crop_jpeg(ex["jpeg"], tf.stack([y, x, h, w]), channels=3)
        return tf.image.resize(image, [self.size, self.size]), ex["label"]

    def _scale(self, images, labels):
        return images / 127.5 - 1.0, labels

    def build(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.applications.ResNet50(weights=None, classes=1000)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(PhotoPipeline("gs://imagenet-eu/train-*", 256).build(), epochs=90)
