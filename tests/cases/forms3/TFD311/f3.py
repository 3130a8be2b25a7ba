import tensorflow as tf
import tensorflow_datasets as tfds


class Trainer:
    BUFFER = 10

    def __init__(self, name="imdb_reviews", batch=64):
        self.batch = batch
        self.train, self.test = tfds.load(name, split=["train", "test"], as_supervised=True)
        self.vectorize = tf.keras.layers.TextVectorization(10000, output_sequence_length=200)
        self.vectorize.adapt(self.train.batch(512).map(lambda t, y: t, num_parallel_calls=tf.data.AUTOTUNE))

    def pipeline(self):
        ds = self.train.cache().shuffle(self.BUFFER)
        ds = ds.batch(self.batch)
        ds = ds.map(lambda t, y: (self.vectorize(t), y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    def run(self):
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(10000, 32),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])
        model.compile("adam", "binary_crossentropy")
        model.fit(self.pipeline(), epochs=5)


Trainer().run()
