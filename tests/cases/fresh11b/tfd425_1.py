import abc

import tensorflow as tf


class BaseLoader(abc.ABC):
    def __init__(self, batch_size):
        self.batch_size = batch_size

    @abc.abstractmethod
    def examples(self):
        ...

    def dataset(self):
        ds = self.examples().shuffle(200)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


class TabularLoader(BaseLoader):
    SPEC = {"x": tf.io.FixedLenFeature([50], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}

    def __init__(self, pattern, batch_size):
        super().__init__(batch_size)
        self.pattern = pattern

    def parse(self, records):
        ex = tf.io.parse_example(records, self.SPEC)
        return ex["x"], ex["y"]

    def examples(self):
        files = tf.data.Dataset.list_files(self.pattern, shuffle=True)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)


def main():
    train = TabularLoader("/data/credit/train-*", 512).dataset()
    model = tf.keras.Sequential([tf.keras.Input((50,)), tf.keras.layers.Dense(128, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(train, epochs=5)


if __name__ == "__main__":
    main()
