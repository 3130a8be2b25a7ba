import tensorflow as tf


class Learner:
    def __init__(self, model, dataset):
        self.model = model
        self.source = iter(dataset)
        self.optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def _apply(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self.model(x, training=True)))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def one_step(self):
        x, y = next(self.source)
        self._apply(x, y)

    def train(self, steps, logdir):
        with tf.profiler.experimental.Profile(logdir):
            for step in range(steps):
                with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                    self.one_step()


def parse(serialized):
    ex = tf.io.parse_example(serialized, {
        "x": tf.io.FixedLenFeature([32], tf.float32),
        "y": tf.io.FixedLenFeature([1], tf.float32),
    })
    return ex["x"], ex["y"]


ds = tf.data.Dataset.list_files("/data/wind/*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
ds = ds.shuffle(50_000).repeat().batch(1024, drop_remainder=True)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

Learner(tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)]), ds).train(100, "/tmp/wind")
