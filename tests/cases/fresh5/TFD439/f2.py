import numpy as np
import tensorflow as tf


def read_npy(path):
    return np.load(path.decode()).astype(np.float32)


class Trainer:
    def __init__(self, pattern, directory):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(256)])
        self.optimizer = tf.keras.optimizers.Adam()
        self.iterator = iter(self.dataset(pattern))
        self.checkpoint = tf.train.Checkpoint(
            model=self.model, optimizer=self.optimizer, iterator=self.iterator)
        self.manager = tf.train.CheckpointManager(self.checkpoint, directory, 2)

    def dataset(self, pattern):
        ds = tf.data.Dataset.list_files(pattern).repeat()
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(32).prefetch(tf.data.AUTOTUNE)

    def load(self, path):
        return tf.ensure_shape(tf.numpy_function(read_npy, [path], tf.float32), (256,))

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - x))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def run(self, steps):
        for i in range(1, steps + 1):
            self.step(next(self.iterator))
            if i % 1000 == 0:
                self.manager.save()


Trainer("/data/embeddings/*.npy", "/ckpt/embeddings").run(50_000)
