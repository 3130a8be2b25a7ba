import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model, files, directory):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam()
        self.iterator = iter(self.dataset(files))
        self.checkpoint = tf.train.Checkpoint(
            model=self.model, optimizer=self.optimizer, data=self.iterator
        )
        self.manager = tf.train.CheckpointManager(self.checkpoint, directory, max_to_keep=2)

    def load(self, path):
        sample = tf.numpy_function(lambda p: np.load(p.decode()), [path], tf.float32)
        return tf.ensure_shape(sample, [32, 32])

    def dataset(self, files):
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(16).prefetch(tf.data.AUTOTUNE)

    def run(self, steps):
        for step in range(1, steps + 1):
            batch = next(self.iterator)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(batch, training=True) - batch))
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
            if step % 500 == 0:
                self.manager.save()


autoencoder = tf.keras.models.load_model("autoencoder.keras")
Trainer(autoencoder, tf.io.gfile.glob("patches/*.npy"), "ckpt").run(20_000)
