import tensorflow as tf
import tensorflow_datasets as tfds

CONFIG = {"name": "mnist", "batch": 128, "cache": True, "epochs": 5}


class Input:
    def __init__(self, config):
        self.config = config
        self.ds, self.info = tfds.load(config["name"], split="train", as_supervised=True, with_info=True)

    def scale(self):
        self.ds = self.ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def loop(self):
        self.ds = self.ds.shuffle(60000).batch(self.config["batch"]).repeat(self.config["epochs"])
        return self

    def speed(self):
        if self.config["cache"]:
            self.ds = self.ds.cache()
        self.ds = self.ds.prefetch(tf.data.AUTOTUNE)
        return self


data = Input(CONFIG).scale().loop().speed().ds
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data)
