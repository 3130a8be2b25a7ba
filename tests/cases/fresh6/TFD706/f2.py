import functools

import tensorflow as tf

compiled = functools.partial(tf.function, experimental_compile=True)


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Trainer:
    def __init__(self):
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])
        self.opt = tf.keras.optimizers.Adam()
        self.update = compiled(self._update)

    def _update(self, images):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(images, training=True) - images))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))

    def run(self, dataset):
        for images in dataset:
            self.update(images)


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat(10)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(16, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
Trainer().run(ds)
