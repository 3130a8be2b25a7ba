import tensorflow as tf
from tensorflow.keras import layers

import records


class Experiment:
    pattern = "/data/inet/train-*.tfrecord"
    batch_size = 128
    data_format = "channels_first"

    def block(self, width):
        return [
            layers.Conv2D(width, 3, padding="same", activation="relu", data_format=self.data_format),
            layers.AveragePooling2D(data_format=self.data_format),
        ]

    def model(self):
        net = tf.keras.Sequential([layers.Input(records.SHAPE)])
        for width in (64, 128, 256):
            for layer in self.block(width):
                net.add(layer)
        net.add(layers.GlobalAveragePooling2D(data_format=self.data_format))
        net.add(layers.Dense(1000))
        return net

    def run(self):
        net = self.model()
        net.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        net.fit(records.load(self.pattern, self.batch_size), epochs=60)


if __name__ == "__main__":
    Experiment().run()
