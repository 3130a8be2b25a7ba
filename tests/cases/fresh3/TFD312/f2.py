import tensorflow as tf
import tensorflow_datasets as tfds


class Task:
    name = "mnist"
    batch = 96

    def examples(self):
        return tfds.load(self.name, split="train", as_supervised=True, batch_size=500, shuffle_files=True)

    def scale(self, x, y):
        return tf.cast(x, tf.float32) / 255.0, y

    def split(self, ds):
        return ds.flat_map(lambda *parts: tf.data.Dataset.from_tensor_slices(parts))

    def train(self):
        ds = self.examples().map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.apply(self.split).batch(self.batch, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


class Letters(Task):
    name = "emnist/letters"


for task, classes in ((Task(), 10), (Letters(), 37)):
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(classes, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(task.train(), epochs=5)
