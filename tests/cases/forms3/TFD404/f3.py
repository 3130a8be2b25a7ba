import tensorflow as tf


class Sketches:
    def __init__(self, pattern, holdout=0.1):
        self.paths = tf.data.Dataset.list_files(pattern, seed=9)
        self.count = int(self.paths.cardinality())
        self.n_val = int(self.count * holdout)

    def read(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
        return tf.image.resize(image, (64, 64)) / 255.0, label

    def _finish(self, ds):
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)

    def train(self):
        return self._finish(self.paths.skip(self.n_val))

    def val(self):
        return self._finish(self.paths.take(self.n_val))


data = Sketches("sketches/*/*.png")
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(250, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data.train(), validation_data=data.val(), epochs=15)
