"""Remaining useful life of turbofan engines, custom loop."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Settings:
    train_pattern: str = "/data/cmapss/fd001/train-*.tfrecord"
    eval_pattern: str = "/data/cmapss/fd001/train-*.tfrecord"
    window: int = 30
    sensors: int = 14
    batch_size: int = 256
    epochs: int = 40
    lr: float = 1e-3


class RulTrainer:
    def __init__(self, settings):
        self.s = settings
        self.model = tf.keras.Sequential([
            tf.keras.Input((settings.window, settings.sensors)),
            tf.keras.layers.LSTM(64, return_sequences=True),
            tf.keras.layers.LSTM(32),
            tf.keras.layers.Dense(1),
        ])
        self.opt = tf.keras.optimizers.Adam(settings.lr)
        self.rmse = tf.keras.metrics.RootMeanSquaredError()

    def _parse(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "x": tf.io.FixedLenFeature([self.s.window, self.s.sensors], tf.float32),
            "rul": tf.io.FixedLenFeature([1], tf.float32),
        })
        return ex["x"], tf.minimum(ex["rul"], 125.0)

    def get_loader(self, pattern, shuffle):
        files = tf.data.Dataset.list_files(pattern, shuffle=shuffle)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE).cache()
        if shuffle:
            ds = ds.shuffle(20_000)
        return ds.batch(self.s.batch_size).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))

    @tf.function
    def eval_step(self, x, y):
        self.rmse.update_state(y, self.model(x, training=False))

    def run(self):
        train = self.get_loader(self.s.train_pattern, True)
        valid = self.get_loader(self.s.eval_pattern, False)
        best = float("inf")
        for epoch in range(self.s.epochs):
            for x, y in train:
                self.train_step(x, y)
            self.rmse.reset_state()
            for x, y in valid:
                self.eval_step(x, y)
            score = float(self.rmse.result())
            print(f"epoch {epoch:2d} val rmse {score:.2f}")
            if score < best:
                best = score
                self.model.save_weights("best.weights.h5")
        return best


if __name__ == "__main__":
    print("best", RulTrainer(Settings()).run())
