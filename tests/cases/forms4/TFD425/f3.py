import tensorflow as tf
import tensorflow_datasets as tfds


class Rock:
    batch_size = 32

    def raw(self, split):
        return tfds.load(
            "rock_paper_scissors",
            split=split,
            batch_size=self.batch_size,
            as_supervised=True,
            shuffle_files=True,
        )

    def scale(self, image, label):
        return tf.cast(image, tf.float32) / 255.0, label

    def train(self):
        ds = self.raw("train").shuffle(100)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((300, 300, 3)),
    tf.keras.layers.Conv2D(16, 5, strides=3, activation="relu"),
    tf.keras.layers.GlobalMaxPooling2D(),
    tf.keras.layers.Dense(3, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(Rock().train(), epochs=5)
