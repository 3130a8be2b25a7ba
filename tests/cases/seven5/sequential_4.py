"""Fraud detection on transaction records (Estimator, TF 2.3)."""
import collections

import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE

ReadConfig = collections.namedtuple("ReadConfig", "cycle parallel batch")
ReadConfig.__new__.__defaults__ = (12, None, 2048)

FEATURES = {
    "amount": tf.io.FixedLenFeature([1], tf.float32),
    "merchant": tf.io.FixedLenFeature([16], tf.float32),
    "history": tf.io.FixedLenFeature([128], tf.float32),
    "fraud": tf.io.FixedLenFeature([1], tf.int64),
}


def parse(batch):
    features = tf.io.parse_example(batch, FEATURES)
    return features, features.pop("fraud")


def input_fn(pattern, config, training=True):
    names = sorted(tf.io.gfile.glob(pattern))
    ds = tf.data.Dataset.from_tensor_slices(names)
    if training:
        ds = ds.shuffle(len(names))
    ds = ds.interleave(
        tf.data.TFRecordDataset,
        cycle_length=config.cycle,
        num_parallel_calls=config.parallel,
    )
    if training:
        ds = ds.shuffle(100000).repeat()
    ds = ds.batch(config.batch).map(parse, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def main():
    config = ReadConfig()
    columns = [
        tf.feature_column.numeric_column("amount"),
        tf.feature_column.numeric_column("merchant", [16]),
        tf.feature_column.numeric_column("history", [128]),
    ]
    classifier = tf.estimator.DNNClassifier([512, 256], columns, model_dir="/models/fraud")
    classifier.train(
        lambda: input_fn("hdfs://nn/transactions/2020/part-*", config), max_steps=400000)
    print(classifier.evaluate(
        lambda: input_fn("hdfs://nn/transactions/2021/part-*", config, training=False)))


if __name__ == "__main__":
    main()
