"""Trainer with profiling of a step window."""
import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer, loss, logdir, window=(200, 260)):
        self.model, self.optimizer, self.loss = model, optimizer, loss
        self.logdir, self.window = logdir, window
        self.mean = tf.keras.metrics.Mean()

    @tf.function
    def _update(self, x, y):
        with tf.GradientTape() as tape:
            value = self.loss(y, self.model(x, training=True))
        g = tape.gradient(value, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.model.trainable_variables))
        self.mean.update_state(value)

    def _profile(self, step):
        if step == self.window[0]:
            tf.profiler.experimental.start(self.logdir)
        elif step == self.window[1]:
            tf.profiler.experimental.stop()

    def train(self, ds, steps):
        for step, (x, y) in enumerate(ds.take(steps)):
            self._profile(step)
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                self._update(x, y)
            if step % 100 == 0:
                print(step, self.mean.result().numpy())
                self.mean.reset_state()


def records(pattern, batch):
    def parse(raw):
        ex = tf.io.parse_single_example(raw, {"image": tf.io.FixedLenFeature([], tf.string),
                                              "label": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        return tf.image.random_flip_left_right(tf.image.resize(img, [224, 224])), ex["label"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(weights=None)
    t = Trainer(net, tf.keras.optimizers.SGD(0.1, momentum=0.9),
                tf.keras.losses.SparseCategoricalCrossentropy(), "/logs/resnet")
    t.train(records("/data/imagenet/train-*", 256), steps=100_000)
