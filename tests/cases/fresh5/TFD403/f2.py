import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([32], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


class Trainer:
    def __init__(self, model, dataset, lr=1e-3):
        self.model = model
        self.dataset = dataset
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.update = tf.function(self._update)

    def sample(self):
        for batch in self.dataset.take(1):
            return batch

    def _update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self, steps):
        for _ in range(steps):
            x, y = self.sample()
            self.update(x, y)


files = tf.data.Dataset.list_files("/data/power/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000).batch(128).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)
Trainer(tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)]), ds).run(20_000)
