import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Trainer:
    def __init__(self, pattern, batch_per_gpu):
        self.strategy = tf.distribute.MirroredStrategy()
        self.global_batch = batch_per_gpu * self.strategy.num_replicas_in_sync
        self.pattern = pattern
        with self.strategy.scope():
            self.net = tf.keras.Sequential([
                tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
                tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
            ])
            self.opt = tf.keras.optimizers.Adam()

    def dataset(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.global_batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def update(self, images):
        self.strategy.run(self.replica_step, args=(images,))

    def replica_step(self, images):
        with tf.GradientTape() as tape:
            err = tf.reduce_mean(tf.square(self.net(images, training=True) - images), (1, 2, 3))
            loss = tf.nn.compute_average_loss(err, global_batch_size=self.global_batch)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))

    def run(self, epochs):
        data = self.dataset()
        for _ in range(epochs):
            for images in data:
                self.update(images)


Trainer("/data/xray/*.png", 16).run(20)
