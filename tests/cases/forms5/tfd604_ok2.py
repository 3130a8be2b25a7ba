import tensorflow as tf


class Denoiser(tf.keras.Model):
    def __init__(self, sigma=0.2):
        super().__init__()
        self.sigma = sigma
        self.encoder = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")
        self.decoder = tf.keras.layers.Conv2D(3, 3, padding="same")
        self.loss_tracker = tf.keras.metrics.Mean(name="loss")

    def call(self, x, training=False):
        return self.decoder(self.encoder(x))

    def train_step(self, clean):
        noisy = clean + self.sigma * tf.random.normal(tf.shape(clean))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(noisy, training=True) - clean))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.random_crop(tf.cast(image, tf.float32) / 255.0, (128, 128, 3))


dataset = (
    tf.data.Dataset.list_files("/data/div2k/train/*.png")
    .repeat(16)
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(32)
    .prefetch(tf.data.AUTOTUNE)
)
model = Denoiser()
model.compile(optimizer=tf.keras.optimizers.Adam(1e-3))
model.fit(dataset, epochs=100)
