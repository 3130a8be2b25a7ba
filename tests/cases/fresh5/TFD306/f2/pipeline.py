import tensorflow as tf

SPEC = {"dense": tf.io.FixedLenFeature([13], tf.float32), "click": tf.io.FixedLenFeature([], tf.float32)}


class Pipeline:
    batch_size = 2048

    def __init__(self, pattern):
        self.pattern = pattern

    def records(self):
        files = tf.data.Dataset.list_files(self.pattern)
        return files.interleave(
            tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE
        )

    def parsed(self):
        ds = self.records().batch(self.batch_size)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)

    @staticmethod
    def parse(batch):
        f = tf.io.parse_example(batch, SPEC)
        return f["dense"], f["click"]


class TrainPipeline(Pipeline):
    def __call__(self):
        mixed = self.parsed().shuffle(256)
        return mixed.prefetch(tf.data.AUTOTUNE)
