import abc

import tensorflow as tf


class Source(abc.ABC):
    batch_size = 512
    buffer = 100_000

    @abc.abstractmethod
    def examples(self):
        ...

    @abc.abstractmethod
    def transform(self, *example):
        ...

    def as_training(self):
        ds = self.examples().shuffle(self.buffer)
        ds = ds.map(self.transform, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)
