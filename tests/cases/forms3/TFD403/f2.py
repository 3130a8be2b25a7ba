import tensorflow as tf


class Gan:
    def __init__(self, pattern, batch=32):
        ds = tf.data.Dataset.list_files(pattern).repeat()
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        self.data = ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
        self.critic = tf.keras.Sequential([tf.keras.layers.Conv2D(16, 4, strides=4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
        self.maker = tf.keras.Sequential([tf.keras.layers.Dense(64 * 64 * 3, activation="tanh"), tf.keras.layers.Reshape((64, 64, 3))])
        self.opt = tf.keras.optimizers.Adam(1e-4)

    @staticmethod
    def load(path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.random_flip_left_right(image)
        return tf.image.resize(image, (64, 64)) / 127.5 - 1.0

    def real_batch(self):
        return next(iter(self.data))

    def train(self, steps):
        for _ in range(steps):
            real = self.real_batch()
            fake = self.maker(tf.random.normal((32, 100)))
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            grads = tape.gradient(loss, self.critic.trainable_variables)
            self.opt.apply_gradients(zip(grads, self.critic.trainable_variables))


Gan("faces/*.jpg").train(10000)
