from dataclasses import dataclass

import tensorflow as tf


@dataclass
class EvalConfig:
    files: tuple = ("valid-0.tfrecord", "valid-1.tfrecord")
    batch_size: int = 48
    drop_remainder: bool = True


class Evaluator:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        self.accuracy = tf.keras.metrics.BinaryAccuracy()

    def parse(self, record):
        example = tf.io.parse_single_example(record, {
            "ids": tf.io.VarLenFeature(tf.int64),
            "spam": tf.io.FixedLenFeature([1], tf.float32),
        })
        return tf.sparse.to_dense(example["ids"]), example["spam"]

    def batches(self):
        ds = tf.data.TFRecordDataset(list(self.config.files))
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.padded_batch(self.config.batch_size, drop_remainder=self.config.drop_remainder)
        return ds.prefetch(tf.data.AUTOTUNE)

    def evaluate(self):
        self.accuracy.reset_state()
        for ids, spam in self.batches():
            self.accuracy.update_state(spam, self.model(ids, training=False))
        return float(self.accuracy.result())


print(Evaluator(tf.keras.models.load_model("spam.keras"), EvalConfig()).evaluate())
