import tensorflow as tf


class Experiment:
    def __init__(self, quick=True, batch_size=128):
        self.quick_examples = 100
        self.quick = quick
        self.batch_size = batch_size

    def source(self):
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices((x[..., None], y))
        return ds.take(self.quick_examples) if self.quick else ds

    def batches(self):
        ds = self.source().shuffle(1000)
        ds = ds.map(
            lambda image, label: (tf.cast(image, tf.float32) / 255.0, label),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    def run(self):
        model = tf.keras.Sequential([
            tf.keras.Input((28, 28, 1)),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(10, activation="softmax"),
        ])
        model.compile("adam", "sparse_categorical_crossentropy")
        model.fit(self.batches(), epochs=2)


Experiment().run()
