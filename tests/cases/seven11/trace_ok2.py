import contextlib

import numpy as np
import tensorflow as tf

PROFILED = range(400, 420)


def step_scope(step):
    if step in PROFILED:
        return tf.profiler.experimental.Trace("train", step_num=step, _r=1)
    return contextlib.nullcontext()


class Forecaster:
    def __init__(self, window, horizon):
        self.net = tf.keras.Sequential([
            tf.keras.layers.LSTM(256),
            tf.keras.layers.Dense(horizon),
        ])
        self.opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def _update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.net(x, training=True) - y))
        self.opt.apply_gradients(
            zip(tape.gradient(loss, self.net.trainable_variables), self.net.trainable_variables)
        )
        return loss

    def step(self, stream):
        x, y = next(stream)
        return self._update(x, y)


def windows(path, window, horizon, batch):
    series = np.load(path).astype(np.float32)
    ds = tf.keras.utils.timeseries_dataset_from_array(
        series, None, sequence_length=window + horizon, batch_size=batch, shuffle=True, seed=4
    )

    def cut(w):
        return w[:, :window], w[:, window:, 0]

    return ds.repeat().map(cut, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    model = Forecaster(168, 24)
    stream = iter(windows("/data/electricity.npy", 168, 24, 256))
    for step in range(20_000):
        if step == PROFILED.start:
            tf.profiler.experimental.start("/tmp/electricity/tb")
        with step_scope(step):
            loss = model.step(stream)
        if step == PROFILED.stop:
            tf.profiler.experimental.stop()
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
