import functools

import tensorflow as tf

step_trace = functools.partial(tf.profiler.experimental.Trace, "train", _r=1)


class Trainer:
    profile_range = (100, 108)

    def __init__(self, model, optimizer, logdir):
        self.model = model
        self.optimizer = optimizer
        self.logdir = logdir
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(labels, self.model(images, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, dataset, steps):
        iterator = iter(dataset)
        first, last = self.profile_range
        for step in range(steps):
            if step == first:
                tf.profiler.experimental.start(self.logdir)
            with step_trace(step_num=step):
                images, labels = next(iterator)
                self.train_step(images, labels)
            if step == last:
                tf.profiler.experimental.stop()


def load(pattern):
    def parse(record):
        parsed = tf.io.parse_example(record, {
            "x": tf.io.FixedLenFeature([784], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64),
        })
        return parsed["x"], parsed["y"]

    ds = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).repeat().batch(512, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(512, activation="relu"), tf.keras.layers.Dense(10)])
    Trainer(net, tf.keras.optimizers.Adam(), "/tmp/logs").fit(load("/data/digits-*"), 5000)
