import tensorflow as tf


class Images:
    def __init__(self, pattern, side):
        self.pattern = pattern
        self.side = side

    def load(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, (self.side, self.side)) / 255.0
        return image, tf.cast(tf.strings.split(path, "/")[-2] == "dog", tf.float32)

    def batches(self, size):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(size, drop_remainder=True)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
train = Images("/data/cats_dogs/*/*.jpg", 224).batches(64)
model.fit(train, epochs=20)
