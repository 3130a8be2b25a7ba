import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Job:
    files: str = "/data/weather/train-*.csv"
    batch: int = 512
    steps: int = 2000
    epochs: int = 25

    def parse(self, lines):
        cols = tf.io.decode_csv(lines, [0.0] * 15)
        return tf.stack(cols[:-1], axis=1), cols[-1]

    def train(self):
        files = tf.data.Dataset.list_files(self.files)
        lines = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
        lines = lines.shuffle(100_000).repeat().batch(self.batch)
        return lines.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def build(norm):
    inputs = tf.keras.Input((14,))
    h = tf.keras.layers.Dense(128, activation="relu")(norm(inputs))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(h))


def main(job):
    train = job.train()
    norm = tf.keras.layers.Normalization(axis=-1)
    norm.adapt(train.map(lambda x, y: x))
    model = build(norm)
    model.compile("adam", "mae")
    model.fit(train, epochs=job.epochs, steps_per_epoch=job.steps)


if __name__ == "__main__":
    main(Job())
