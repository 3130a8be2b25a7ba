import numpy as np
import tensorflow as tf


class CropPipeline:
    def __init__(self, crop=28, batch_size=256):
        self.crop = crop
        self.batch_size = batch_size

    def _random_crop(self, image, label):
        return tf.image.random_crop(image, (self.crop, self.crop, 3)), label

    @staticmethod
    def _scale(images, labels):
        return tf.cast(images, tf.float32) / 255.0, labels

    def __call__(self, x, y):
        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
        ds = ds.map(self._random_crop, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


(x_train, y_train), _ = tf.keras.datasets.cifar10.load_data()
train_ds = CropPipeline()(x_train, np.squeeze(y_train))

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, epochs=50)
