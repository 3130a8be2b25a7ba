"""Variational autoencoder on all GPUs by MirroredStrategy."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)


class Vae(tf.keras.Model):
    def __init__(self, latent=64):
        super().__init__()
        layers = tf.keras.layers
        self.encoder = tf.keras.Sequential([layers.Conv2D(64, 4, strides=2, activation="relu"),
                                            layers.Conv2D(128, 4, strides=2, activation="relu"),
                                            layers.Flatten(), layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([layers.Dense(16 * 16 * 128, activation="relu"),
                                            layers.Reshape((16, 16, 128)),
                                            layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
                                            layers.Conv2DTranspose(3, 4, strides=2, padding="same")])
        self.noise = tf.random.Generator.from_seed(8)
        self.total = tf.keras.metrics.Mean(name="loss")

    def call(self, x):
        mu, log_var = tf.split(self.encoder(x), 2, axis=-1)
        z = mu + tf.exp(0.5 * log_var) * self.noise.normal(tf.shape(mu))
        return self.decoder(z), mu, log_var

    def train_step(self, x):
        with tf.GradientTape() as tape:
            out, mu, log_var = self(x, training=True)
            rec = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(x, out), [1, 2, 3])
            kl = -0.5 * tf.reduce_sum(1 + log_var - mu ** 2 - tf.exp(log_var), -1)
            loss = tf.reduce_mean(rec + kl)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


class DeviceMemory(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        for device in tf.config.list_logical_devices("GPU"):
            with tf.device(device.name):
                name = device.name.split("device:")[-1]
                print(name, tf.config.experimental.get_memory_info(name)["peak"] >> 20, "MiB")


def faces(pattern, batch):
    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [64, 64]) / 255.0

    files = tf.io.gfile.glob(pattern)
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        vae = Vae()
        vae.compile(optimizer=tf.keras.optimizers.Adam(1e-4))
    vae.fit(faces("/data/celeba/*.jpg", 128 * strategy.num_replicas_in_sync), epochs=40, callbacks=[DeviceMemory()])
