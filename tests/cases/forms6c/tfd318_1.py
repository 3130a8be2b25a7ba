import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    "image/filename": tf.io.FixedLenFeature([], tf.string, ""),
    "image/class/text": tf.io.FixedLenFeature([], tf.string, ""),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
}


class ImageNetInput:
    def __init__(self, data_dir, is_training, batch_size=256):
        self.data_dir = data_dir
        self.is_training = is_training
        self.batch_size = batch_size

    def parser(self, record):
        parsed = tf.io.parse_single_example(record, FEATURES)
        image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
        image = tf.image.resize(image, [224, 224]) / 255.0
        return image, tf.cast(parsed["image/class/label"], tf.int32) - 1

    def __call__(self):
        split = "train" if self.is_training else "validation"
        ds = tf.data.Dataset.list_files(f"{self.data_dir}/{split}-*", shuffle=self.is_training)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                           num_parallel_calls=tf.data.AUTOTUNE)
        if self.is_training:
            ds = ds.shuffle(16_384)
        ds = ds.map(self.parser, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=self.is_training).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    train, val = (ImageNetInput("/imagenet", flag)() for flag in (True, False))
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=90)
