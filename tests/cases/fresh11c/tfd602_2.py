import tensorflow as tf


class UpBlock(tf.keras.layers.Layer):
    def __init__(self, filters, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.up = tf.keras.layers.Conv2DTranspose(
            filters, 4, strides=2, padding="same", kernel_initializer="he_normal")
        self.norm = tf.keras.layers.BatchNormalization(momentum=0.9)
        self.drop = tf.keras.layers.Dropout(dropout) if dropout else None

    def call(self, x, training=False):
        y = self.up(x)
        y = self.norm(y, training=training)
        if self.drop is not None:
            y = self.drop(y, training=training)
        return tf.nn.relu(y)


class Generator(tf.keras.Model):
    def __init__(self, widths=(256, 128, 64)):
        super().__init__()
        self.project = tf.keras.layers.Dense(4 * 4 * 512, activation="relu")
        self.shape4 = tf.keras.layers.Reshape((4, 4, 512))
        self.blocks = [UpBlock(w, dropout=0.3) for w in widths]
        self.to_rgb = tf.keras.layers.Conv2D(3, 3, padding="same", activation="tanh")

    def call(self, z, training=False):
        x = self.shape4(self.project(z))
        for b in self.blocks:
            x = b(x, training=training)
        return self.to_rgb(x)


def preview(path="generator.weights.h5", count=16):
    net = Generator()
    z = tf.random.normal((count, 128))
    net(z)
    net.load_weights(path)
    return net(z, training=False)
