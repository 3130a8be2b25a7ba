import tensorflow as tf
import tensorflow_datasets as tfds


class FlowerTraining:
    fit_arguments = {"epochs": 12, "steps_per_epoch": 100, "verbose": 2}

    def __init__(self, size=160):
        self.size = size

    def prepare(self, image, label):
        return tf.image.resize(image, (self.size, self.size)) / 127.5 - 1.0, label

    def data(self):
        ds = tfds.load("tf_flowers", split="train", as_supervised=True, shuffle_files=True)
        ds = ds.shuffle(1000)
        ds = ds.map(self.prepare, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(32).prefetch(tf.data.AUTOTUNE)

    def model(self):
        base = tf.keras.applications.MobileNetV2(
            include_top=False, pooling="avg", input_shape=(self.size, self.size, 3)
        )
        base.trainable = False
        return tf.keras.Sequential([base, tf.keras.layers.Dense(5, activation="softmax")])

    def run(self):
        model = self.model()
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model.fit(self.data(), **self.fit_arguments)


FlowerTraining().run()
