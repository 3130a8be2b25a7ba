import tensorflow as tf


class Denoiser:
    def __init__(self, lr):
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.update = tf.function(self._update)

    def _update(self, clean):
        noisy = clean + tf.random.normal(tf.shape(clean), stddev=0.1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.net(noisy, training=True) - clean))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


ds = tf.data.Dataset.list_files("/data/xray/*.png")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
denoiser = Denoiser(1e-3)
for epoch in range(20):
    for images in ds:
        loss = denoiser.update(images)
    print(epoch, float(loss))
