import tensorflow as tf


class PatchReader:
    def __init__(self, pattern):
        self.pattern = pattern
        self.shape = None

    def set_shape(self, shape):
        self.shape = tuple(shape)
        return self

    def decode(self, path):
        pixels = tf.io.decode_raw(tf.io.read_file(path), tf.uint8)
        return tf.cast(tf.reshape(pixels, self.shape), tf.float32) / 255.0

    def dataset(self, batch_size):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(lambda patch: (patch, patch), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


reader = PatchReader("patches/*.raw").set_shape([16, 16, 3])
model = tf.keras.Sequential([
    tf.keras.Input((16, 16, 3)),
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
model.compile("adam", "mse")
model.fit(reader.dataset(batch_size=64), epochs=10)
