import h5py
import tensorflow as tf


class Job:
    def __init__(self, path, global_batch):
        self.path = path
        self.global_batch = global_batch
        self.strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1)])
            self.opt = tf.keras.optimizers.Adam()

    def rows(self):
        with h5py.File(self.path, "r") as f:
            for x, y in zip(f["x"], f["y"]):
                yield x, y

    def dataset(self):
        signature = (tf.TensorSpec((1024,), tf.float32), tf.TensorSpec((1,), tf.float32))
        ds = tf.data.Dataset.from_generator(self.rows, output_signature=signature)
        ds = ds.shuffle(5000, seed=1).batch(self.global_batch, drop_remainder=True)
        return self.strategy.experimental_distribute_dataset(ds.prefetch(tf.data.AUTOTUNE))

    @tf.function
    def step(self, batch):
        def replica(x, y):
            with tf.GradientTape() as tape:
                err = tf.reduce_sum(tf.square(self.model(x, training=True) - y), -1)
                loss = tf.nn.compute_average_loss(err, global_batch_size=self.global_batch)
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.opt.apply_gradients(zip(grads, self.model.trainable_variables))

        self.strategy.run(replica, args=batch)

    def run(self, epochs):
        data = self.dataset()
        for _ in range(epochs):
            for batch in data:
                self.step(batch)


Job("/nfs/spectra.h5", 512).run(20)
