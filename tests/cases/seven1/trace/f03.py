import tensorflow as tf


class Trainer:
    def __init__(self, model, dataset, logdir):
        self.model = model
        self.iterator = iter(dataset)
        self.logdir = logdir
        self.optimizer = tf.keras.optimizers.AdamW(1e-4)
        self.loss = tf.keras.losses.BinaryCrossentropy()

    def _next_batch(self):
        return next(self.iterator)

    @tf.function
    def _update(self, features, labels):
        with tf.GradientTape() as tape:
            value = self.loss(labels, self.model(features, training=True))
        grads = tape.gradient(value, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return value

    def run(self, steps):
        tf.profiler.experimental.start(self.logdir)
        for step in range(steps):
            features, labels = self._next_batch()
            with tf.profiler.experimental.Trace("train_step", step_num=step, _r=1):
                self._update(features, labels)
        tf.profiler.experimental.stop()


SPEC = {"x": tf.io.FixedLenFeature([64], tf.float32), "y": tf.io.FixedLenFeature([1], tf.float32)}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["x"], ex["y"]


files = tf.data.Dataset.list_files("/data/churn/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(100_000).repeat().batch(2048, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

mlp = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"), tf.keras.layers.Dense(1, "sigmoid")])
Trainer(mlp, ds, "/tmp/churn").run(500)
