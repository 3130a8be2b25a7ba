import tensorflow as tf
import tensorflow_datasets as tfds

layers = tf.keras.layers
CF = {"data_format": "channels_first", "padding": "same"}


class Discriminator(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.stack = [
            layers.Conv2D(64 * 2**i, 4, strides=2, activation="leaky_relu", **CF)
            for i in range(4)
        ]
        self.pool = layers.GlobalAveragePooling2D(data_format="channels_first")
        self.out = layers.Dense(1)

    def call(self, x):
        for conv in self.stack:
            x = conv(x)
        return self.out(self.pool(x))


def prepare(ex):
    image = tf.image.resize(ex["image"], (128, 128)) / 127.5 - 1.0
    return tf.einsum("hwc->chw", image), tf.cast(ex["attributes"]["Smiling"], tf.float32)


def data(split, batch_size=128):
    ds = tfds.load("celeb_a", split=split, shuffle_files=split == "train")
    if split == "train":
        ds = ds.shuffle(10_000)
    ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    net = Discriminator()
    net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
net.fit(data("train"), validation_data=data("validation"), epochs=10)
