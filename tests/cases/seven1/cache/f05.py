import tensorflow as tf


class DogsInput:
    def __init__(self, pattern, size=300):
        self.size = size
        self.files = tf.data.Dataset.list_files(pattern).cache()

    def _decode(self, path):
        img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        img = tf.image.resize(img, (self.size, self.size), preserve_aspect_ratio=False)
        return tf.image.per_image_standardization(img), self._label(path)

    @staticmethod
    def _label(path):
        return tf.strings.to_number(tf.strings.substr(path, -8, 3), tf.int32)

    def training(self, batch_size):
        ds = self.files.shuffle(10_000)
        ds = ds.map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


source = DogsInput("/data/dogs/*.jpg")
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(120, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(source.training(32), epochs=45)
