import tensorflow as tf
from tensorflow.keras import layers


class ConvUnit(layers.Layer):
    def __init__(self, filters, strides=1, **kwargs):
        super().__init__(**kwargs)
        self.conv = layers.Conv2D(filters, 3, strides=strides, padding="same",
                                  kernel_initializer="he_normal")
        self.norm = layers.BatchNormalization(momentum=0.9)
        self.act = layers.ReLU()

    def call(self, inputs, training=None):
        x = self.conv(inputs)
        x = self.norm(x, training=training)
        return self.act(x)


class Classifier(tf.keras.Model):
    def __init__(self, widths=(64, 128, 256), classes=43):
        super().__init__()
        self.units = [ConvUnit(width, strides=2) for width in widths]
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, x, training=None):
        for unit in self.units:
            x = unit(x, training=training)
        return self.head(self.pool(x))


def sign_data(paths, labels, batch_size=128):
    def load(path, label):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [64, 64]) / 255.0, label

    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def train(paths, labels):
    model = Classifier()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(sign_data(paths, labels), epochs=30)
    return model
