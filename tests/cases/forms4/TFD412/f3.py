import tensorflow as tf


class CifarPipeline:
    def __init__(self, batch_size=100):
        self.batch_size = batch_size
        self.train_arrays, self.test_arrays = tf.keras.datasets.cifar10.load_data()

    @staticmethod
    def scale(image, label):
        return tf.cast(image, tf.float32) / 255.0, label

    @staticmethod
    def jitter(image, label):
        padded = tf.image.resize_with_crop_or_pad(image, 36, 36)
        image = tf.image.random_crop(padded, [32, 32, 3])
        image = tf.image.random_saturation(image, 0.7, 1.3)
        return tf.clip_by_value(image, 0.0, 1.0), label

    def build(self, arrays, shuffle, augment):
        ds = tf.data.Dataset.from_tensor_slices(arrays)
        if shuffle:
            ds = ds.shuffle(50_000)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        if augment:
            ds = ds.map(self.jitter, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def train(self):
        return self.build(self.train_arrays, shuffle=True, augment=True)

    def test(self):
        return self.build(self.test_arrays, shuffle=False, augment=True)


pipeline = CifarPipeline()
model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=10)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(pipeline.train(), validation_data=pipeline.test(), epochs=30)
