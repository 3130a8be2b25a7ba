import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class LoadForecast:
    path: str = "/data/grid/hourly.npy"
    past: int = 168
    ahead: int = 24
    valid_share: float = 0.1
    batch: int = 256

    def arrays(self):
        series = np.load(self.path).astype("float32")
        series = (series - series.mean()) / series.std()
        span = self.past + self.ahead
        frames = np.lib.stride_tricks.sliding_window_view(series, span)[:: self.ahead]
        return frames[:, : self.past, None], frames[:, self.past :]

    def splits(self):
        x, y = self.arrays()
        n_train = int(len(x) * (1 - self.valid_share))
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        train = ds.take(n_train).shuffle(n_train)
        gap = self.past // self.ahead
        valid = ds.skip(n_train + gap)
        return (
            train.batch(self.batch).prefetch(tf.data.AUTOTUNE),
            valid.batch(self.batch).prefetch(tf.data.AUTOTUNE),
        )


def tcn(cfg):
    inputs = tf.keras.Input((cfg.past, 1))
    x = inputs
    for rate in (1, 2, 4, 8, 16):
        h = tf.keras.layers.Conv1D(32, 3, padding="causal", dilation_rate=rate, activation="relu")(x)
        x = tf.keras.layers.Concatenate()([x, h])
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(cfg.ahead)(x))


def main():
    cfg = LoadForecast()
    train, valid = cfg.splits()
    model = tcn(cfg)
    model.compile("adam", "mse")
    model.fit(train, validation_data=valid, epochs=60)


if __name__ == "__main__":
    main()
