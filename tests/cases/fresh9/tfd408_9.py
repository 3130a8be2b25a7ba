"""Census income with a linear Estimator over many CSV parts."""
import functools

import tensorflow as tf

COLUMNS = ["age", "workclass", "education", "hours", "income"]
DEFAULTS = [[0.0], [""], [""], [0.0], [""]]


def decode(lines):
    values = tf.io.decode_csv(lines, DEFAULTS)
    features = dict(zip(COLUMNS, values))
    return features, tf.cast(tf.equal(features.pop("income"), ">50K"), tf.int32)


def input_fn(files, batch_size=512, num_epochs=1, shuffle=False):
    ds = tf.data.TextLineDataset(tf.io.gfile.glob(files))
    if shuffle:
        ds = ds.shuffle(100_000)
    ds = ds.repeat(num_epochs).batch(batch_size)
    return ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).prefetch(1)


def feature_columns():
    fc = tf.feature_column
    return [
        fc.bucketized_column(fc.numeric_column("age"), [25, 35, 45, 55, 65]),
        fc.numeric_column("hours"),
        fc.categorical_column_with_hash_bucket("workclass", 100),
        fc.categorical_column_with_hash_bucket("education", 100),
    ]


def main():
    estimator = tf.estimator.LinearClassifier(feature_columns(), model_dir="/tmp/census")
    train = tf.estimator.TrainSpec(
        functools.partial(input_fn, "/data/census/train/part-*.csv", num_epochs=20),
        max_steps=100_000)
    evaluation = tf.estimator.EvalSpec(
        functools.partial(input_fn, "/data/census/eval/part-*.csv"), steps=None)
    tf.estimator.train_and_evaluate(estimator, train, evaluation)


if __name__ == "__main__":
    main()
