import tensorflow as tf
import tensorflow_datasets as tfds


class Trainer:
    def __init__(self, epochs=20):
        self.epochs = epochs
        self.net = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.opt = tf.keras.optimizers.SGD(0.1)

    @property
    def batches(self):
        ds = tfds.load("kmnist", split="train", as_supervised=True)
        ds = ds.shuffle(60000).batch(256)
        ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def run(self):
        for epoch in range(self.epochs):
            for x, y in self.batches:
                loss = self.step(x, y)
            print(epoch, float(loss))


Trainer().run()
