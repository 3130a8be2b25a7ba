import tensorflow as tf


class XRayData:
    def __init__(self, paths, labels, batch_size=32, size=224):
        self.paths = paths
        self.labels = labels
        self.batch_size = batch_size
        self.size = size

    def _decode(self, path, label):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        image = tf.image.resize(image, [self.size, self.size])
        return tf.cast(tf.round(image), tf.uint8), label

    def _to_network_input(self, image, label):
        image = tf.image.grayscale_to_rgb(tf.cast(image, tf.float32))
        return image / 127.5 - 1.0, label

    def _load_stage(self):
        ds = tf.data.Dataset.from_tensor_slices((self.paths, self.labels))
        return ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)

    def _convert_stage(self, ds):
        return ds.map(self._to_network_input, num_parallel_calls=tf.data.AUTOTUNE)

    def dataset(self, training):
        ds = self._convert_stage(self._load_stage())
        ds = ds.cache()
        if training:
            ds = ds.shuffle(2048)
        return ds.batch(self.batch_size, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def fit(train: XRayData, val: XRayData):
    base = tf.keras.applications.DenseNet121(include_top=False, pooling="avg",
                                             input_shape=(224, 224, 3), weights=None)
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(14)])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    return model.fit(train.dataset(True), validation_data=val.dataset(False), epochs=30)
