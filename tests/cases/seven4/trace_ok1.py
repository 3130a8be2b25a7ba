import functools

import tensorflow as tf
import tensorflow_datasets as tfds


def traced(method):
    @functools.wraps(method)
    def inner(self):
        with tf.profiler.experimental.Trace("train", step_num=self.step, _r=1):
            return method(self)
    return inner


def batches(size):
    ds = tfds.load("stanford_dogs", split="train", shuffle_files=True).repeat().shuffle(2000)
    ds = ds.map(lambda ex: (tf.image.resize(ex["image"], (224, 224)), ex["label"]),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Loop:
    def __init__(self, model, dataset):
        self.step = 0
        self.model = model
        self.batches = iter(dataset)
        self.optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def learn(self, images, labels):
        with tf.GradientTape() as tape:
            logits = self.model(images / 127.5 - 1.0, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        weights = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    @traced
    def one(self):
        images, labels = next(self.batches)
        return self.learn(images, labels)

    def run(self, steps, profile=range(50, 70)):
        for self.step in range(steps):
            if self.step == profile.start:
                tf.profiler.experimental.start("/tmp/dogs")
            loss = self.one()
            if self.step == profile.stop:
                tf.profiler.experimental.stop()
            if self.step % 100 == 0:
                tf.print(self.step, loss)


net = tf.keras.applications.MobileNetV2(weights=None, classes=120, classifier_activation=None)
Loop(net, batches(64)).run(50_000)
