import tensorflow as tf
import tensorflow_datasets as tfds


class Input:
    def __init__(self, name, batch):
        self.batch = batch
        self.ds, self.info = tfds.load(name, split="train", as_supervised=True, with_info=True)

    def loop(self):
        self.ds = self.ds.shuffle(60000).repeat()
        return self

    def speed(self):
        self.ds = self.ds.cache()
        return self

    def out(self):
        self.ds = self.ds.batch(self.batch)
        self.ds = self.ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        return self.ds.prefetch(tf.data.AUTOTUNE)


source = Input("mnist", 128)
data = source.speed().loop().out()
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data, epochs=5, steps_per_epoch=source.info.splits["train"].num_examples // 128)
