import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Annealed:
    def __init__(self, total):
        self.total = total
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])
        self.opt = tf.keras.optimizers.Adam()
        self.update = tf.function(self._update)

    def _update(self, images, noise):
        with tf.GradientTape() as tape:
            noisy = images + noise * tf.random.normal(tf.shape(images))
            loss = tf.reduce_mean(tf.square(self.net(noisy, training=True) - images))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))

    def run(self, dataset):
        batches = iter(dataset)
        for i in range(self.total):
            amount = 0.5 * (1 - i / self.total)
            self.update(next(batches), noise=amount)


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat()
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
Annealed(50_000).run(ds)
