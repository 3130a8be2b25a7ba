"""Taxi fares with a canned Estimator."""
import functools

import tensorflow as tf

COLUMNS = ["fare", "hour", "weekday", "plon", "plat", "dlon", "dlat", "passengers"]
DEFAULTS = [[0.0]] * len(COLUMNS)


def parse_block(lines):
    fields = tf.io.decode_csv(lines, record_defaults=DEFAULTS)
    features = dict(zip(COLUMNS, fields))
    label = features.pop("fare")
    features["dist"] = tf.sqrt(
        tf.square(features["plon"] - features["dlon"])
        + tf.square(features["plat"] - features["dlat"]))
    return features, label


def fares_input(*, pattern, batch_size, training):
    def lines(path):
        return tf.data.TextLineDataset(path).skip(1)

    dataset = tf.data.Dataset.list_files(pattern, shuffle=training).interleave(
        lines, cycle_length=12, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        dataset = dataset.shuffle(200_000).repeat()
    return dataset.batch(batch_size).map(parse_block, num_parallel_calls=tf.data.AUTOTUNE)


def main():
    columns = [tf.feature_column.numeric_column(c) for c in COLUMNS[1:] + ["dist"]]
    estimator = tf.estimator.DNNRegressor(
        hidden_units=[256, 128, 64],
        feature_columns=columns,
        model_dir="/models/fares",
        config=tf.estimator.RunConfig(save_checkpoints_steps=5000),
    )
    train = functools.partial(
        fares_input, pattern="/data/fares/train-*.csv", batch_size=2048, training=True)
    evaluate = functools.partial(
        fares_input, pattern="/data/fares/eval-*.csv", batch_size=4096, training=False)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(train, max_steps=400_000),
        tf.estimator.EvalSpec(evaluate, steps=None),
    )


if __name__ == "__main__":
    main()
