"""Trainer with optional profiling."""
import contextlib
import dataclasses

import tensorflow as tf
import keras


@dataclasses.dataclass
class TrainConfig:
    steps: int = 100_000
    logdir: str = "/logs/landmarks"
    profile_from: int = 500
    profile_steps: int = 8
    learning_rate: float = 1e-3


class Trainer:
    def __init__(self, model, dataset, cfg):
        self.model = model
        self.dataset = dataset
        self.cfg = cfg
        self.optimizer = keras.optimizers.Adam(cfg.learning_rate)

    @tf.function
    def step(self, images, points):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.model(images, training=True) - points))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply(grads, self.model.trainable_variables)
        return loss

    def context(self, step):
        first = self.cfg.profile_from
        if first <= step < first + self.cfg.profile_steps:
            return tf.profiler.experimental.Trace("train", step_num=step, _r=1)
        return contextlib.nullcontext()

    def fit(self):
        iterator = iter(self.dataset)
        for step in range(self.cfg.steps):
            if step == self.cfg.profile_from:
                tf.profiler.experimental.start(self.cfg.logdir)
            images, points = next(iterator)
            with self.context(step):
                self.step(images, points)
            if step == self.cfg.profile_from + self.cfg.profile_steps - 1:
                tf.profiler.experimental.stop()


def faces(record):
    ex = tf.io.parse_single_example(record, {
        "face": tf.io.FixedLenFeature([], tf.string),
        "points": tf.io.FixedLenFeature([136], tf.float32),
    })
    return tf.image.resize(tf.io.decode_jpeg(ex["face"], channels=3), (160, 160)) / 255.0, ex["points"]


if __name__ == "__main__":
    names = tf.io.gfile.glob("/data/faces/*.tfrecord")
    ds = tf.data.TFRecordDataset(names, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(8192).repeat().map(faces, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(128, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    net = keras.applications.MobileNetV3Large(
        weights=None, input_shape=(160, 160, 3), classes=136, classifier_activation=None)
    Trainer(net, ds, TrainConfig()).fit()
