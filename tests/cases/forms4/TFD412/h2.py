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
        return image, label

    def build(self, arrays, training):
        ds = tf.data.Dataset.from_tensor_slices(arrays)
        if training:
            ds = ds.shuffle(50_000)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        if training:
            ds = ds.map(self.jitter, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


pipeline = CifarPipeline()
train = pipeline.build(pipeline.train_arrays, training=True)
test = pipeline.build(pipeline.test_arrays, training=False)
model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=10)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, validation_data=test, epochs=30)
