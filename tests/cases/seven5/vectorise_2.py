"""HIGGS: signal against background, 11 million rows of csv."""
import dataclasses

import tensorflow as tf
import keras


@dataclasses.dataclass
class Config:
    pattern: str = "/data/higgs/part-*.csv"
    features: int = 28
    batch_size: int = 4096
    buffer: int = 400_000
    epochs: int = 5


class HiggsReader:
    def __init__(self, cfg):
        self.cfg = cfg
        self.defaults = [0.0] * (cfg.features + 1)

    def parse_line(self, line):
        label, *columns = tf.io.decode_csv(line, self.defaults)
        return tf.stack(columns, axis=-1), label

    def __call__(self):
        cfg = self.cfg
        files = tf.data.Dataset.list_files(cfg.pattern)
        lines = files.interleave(
            tf.data.TextLineDataset,
            cycle_length=8,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=False,
        )
        rows = lines.map(self.parse_line, num_parallel_calls=tf.data.AUTOTUNE)
        return (
            rows.shuffle(cfg.buffer)
            .batch(cfg.batch_size, drop_remainder=True)
            .prefetch(tf.data.AUTOTUNE)
        )


def main():
    cfg = Config()
    train = HiggsReader(cfg)()
    model = keras.Sequential([keras.Input((cfg.features,))])
    for _ in range(5):
        model.add(keras.layers.Dense(300, activation="tanh"))
    model.add(keras.layers.Dense(1))
    model.compile(
        keras.optimizers.SGD(0.05, momentum=0.9),
        keras.losses.BinaryCrossentropy(from_logits=True),
        ["accuracy"],
    )
    model.fit(train, epochs=cfg.epochs)


if __name__ == "__main__":
    main()
