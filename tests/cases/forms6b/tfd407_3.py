from dataclasses import dataclass, field

import tensorflow as tf
from tensorflow import data as tfd


@dataclass
class Experiment:
    pattern: str = "/data/ecg/*.tfrecord"
    holdout: int = 4_096
    batch_size: int = 128
    layers: list[int] = field(default_factory=lambda: [32, 64, 128])

    def records(self):
        files = sorted(tf.io.gfile.glob(self.pattern))
        return tfd.TFRecordDataset(files, num_parallel_reads=tfd.AUTOTUNE)

    def parse(self, record):
        row = tf.io.parse_single_example(
            record,
            {
                "lead": tf.io.FixedLenFeature([5000, 12], tf.float32),
                "rhythm": tf.io.FixedLenFeature([], tf.int64),
            },
        )
        return row["lead"], row["rhythm"]

    def datasets(self):
        ds = self.records().map(self.parse, num_parallel_calls=tfd.AUTOTUNE)
        val = ds[: self.holdout]
        train = ds.skip(self.holdout).shuffle(2_000)
        return tuple(d.batch(self.batch_size).prefetch(tfd.AUTOTUNE) for d in (train, val))

    def model(self):
        x = inputs = tf.keras.Input((5000, 12))
        for width in self.layers:
            x = tf.keras.layers.Conv1D(width, 7, strides=4, activation="relu")(x)
        x = tf.keras.layers.GlobalAveragePooling1D()(x)
        return tf.keras.Model(inputs, tf.keras.layers.Dense(5, activation="softmax")(x))


def main():
    experiment = Experiment()
    train, val = experiment.datasets()
    model = experiment.model()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=val, epochs=30)


if __name__ == "__main__":
    main()
