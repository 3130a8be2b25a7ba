import abc

import tensorflow as tf


class Task(abc.ABC):
    def __init__(self, pattern, batch_size):
        self.pattern = pattern
        self.batch_size = batch_size

    @abc.abstractmethod
    def dataset(self): ...

    def lines(self):
        files = sorted(tf.io.gfile.glob(self.pattern))
        return tf.data.TextLineDataset(files, num_parallel_reads=tf.data.AUTOTUNE)

    @staticmethod
    def encode(line):
        parts = tf.strings.split(line, "\t")
        return tf.strings.unicode_decode(parts[0], "UTF-8")[:512], tf.strings.to_number(parts[1])


class TrainTask(Task):
    def dataset(self):
        ds = self.lines().shuffle(100_000)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(self.batch_size, ([512], []))
        return ds.prefetch(tf.data.AUTOTUNE)


class ScoreTask(Task):
    def dataset(self):
        ds = self.lines().map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(self.batch_size, padded_shapes=([512], []), drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((512,), dtype="int32"),
        tf.keras.layers.Lambda(lambda codes: codes % 4096),
        tf.keras.layers.Embedding(4096, 32),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(TrainTask("/data/readability/train-*.tsv", 64).dataset(), epochs=6)
    results = model.evaluate(ScoreTask("/data/readability/test-*.tsv", 256).dataset(), return_dict=True)
    print(results)


if __name__ == "__main__":
    main()
