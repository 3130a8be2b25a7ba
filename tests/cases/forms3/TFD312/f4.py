import tensorflow as tf


class Simulator:
    CHUNK = 1000

    def __init__(self, runs):
        self.runs = runs

    def simulate(self, seeds):
        t = tf.cast(seeds, tf.float32)[:, None] / 1000.0 * tf.constant([1.0, 2.0, 3.0])
        return tf.sin(t), tf.reduce_sum(tf.cos(t), axis=1)

    def dataset(self, batch):
        ds = tf.data.Dataset.range(self.runs * self.CHUNK)
        ds = ds.shuffle(self.CHUNK * 10).batch(self.CHUNK)
        ds = ds.map(self.simulate, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.unbatch().batch(batch).prefetch(tf.data.AUTOTUNE)


net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="tanh"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam()
for x, y in Simulator(200).dataset(50):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x)[:, 0] - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
