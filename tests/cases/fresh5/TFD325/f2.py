import tensorflow as tf


class Tiles:
    side = 64

    def __init__(self, pattern, cache):
        self.pattern = pattern
        self.cache = cache

    def raw(self, record):
        pixels = tf.io.decode_raw(record, tf.uint8)
        return tf.reshape(pixels, (self.side, self.side, 3))

    def scale(self, image):
        return tf.cast(image, tf.float32) / 127.5 - 1.0

    def dataset(self, batch_size):
        size = self.side * self.side * 3
        files = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = files.interleave(
            lambda f: tf.data.FixedLengthRecordDataset(f, size), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.raw, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache(self.cache).shuffle(5000)
        ds = ds.batch(batch_size).map(lambda x: (x, x), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])
model.compile("adam", "mse")
model.fit(Tiles("/data/tiles/*.bin", "/scratch/tiles").dataset(64), epochs=20)
