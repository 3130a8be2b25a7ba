from dataclasses import dataclass

import tensorflow as tf
from tensorflow import data as tfdata


@dataclass
class Config:
    image_size: int = 64
    batch_size: int = 32
    epochs: int = 20
    inspect: bool = True


class Trainer:
    def __init__(self, config):
        self.config = config
        if config.inspect:
            tfdata.experimental.enable_debug_mode()

    def decode(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [self.config.image_size] * 2) / 255.0

    def images(self):
        ds = tfdata.Dataset.list_files("faces/*.png")
        ds = ds.map(self.decode, num_parallel_calls=tfdata.AUTOTUNE)
        ds = ds.map(lambda image: (image, image), num_parallel_calls=tfdata.AUTOTUNE)
        return ds.batch(self.config.batch_size).prefetch(tfdata.AUTOTUNE)

    def run(self):
        model = tf.keras.models.load_model("autoencoder.keras")
        model.fit(self.images(), epochs=self.config.epochs)
        model.save("autoencoder-tuned.keras")


Trainer(Config()).run()
