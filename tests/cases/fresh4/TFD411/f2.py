import tensorflow as tf


class Splits:
    batch_size = 100

    def __init__(self):
        (self.x_train, self.y_train), (self.x_test, self.y_test) = tf.keras.datasets.mnist.load_data()

    def scale(self, image, label):
        return tf.cast(image, tf.float32) / 255.0, label

    def train(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x_train, self.y_train)).shuffle(60_000)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def held_out(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x_test, self.y_test))
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE).batch(self.batch_size)
        validation = ds.take(100)
        test = ds.skip(100)
        return validation.prefetch(tf.data.AUTOTUNE), test.prefetch(tf.data.AUTOTUNE)


splits = Splits()
validation, test = splits.held_out()
model = tf.keras.Sequential([
    tf.keras.Input((28, 28)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(splits.train(), validation_data=validation, epochs=3)
print(model.evaluate(test))
