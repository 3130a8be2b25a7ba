import tensorflow as tf
import tensorflow_datasets as tfds


class InputPipeline:
    def __init__(self, name, batch):
        self.name = name
        self.batch = batch
        self.options = tf.data.Options()
        self.options.experimental_optimization.map_parallelization = True
        self.options.experimental_slack = True

    def _scale(self, x, y):
        return tf.cast(x, tf.float32) / 255.0, y

    def __call__(self, split, training):
        ds = tfds.load(self.name, split=split, as_supervised=True)
        if training:
            ds = ds.shuffle(10000)
        ds = ds.batch(self.batch)
        ds = ds.map(self._scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


make = InputPipeline("fashion_mnist", 128)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(make("train", True), validation_data=make("test", False), epochs=5)
