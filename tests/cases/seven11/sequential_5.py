"""Taxi fare regression over hundreds of CSV shards."""
import functools

import tensorflow as tf

COLUMNS = ["fare", "pickuplon", "pickuplat", "dropofflon", "dropofflat", "passengers", "hour"]
DEFAULTS = [[0.0]] * 7
PARAMS = dict(batch_size=1024, shuffle=100_000, cycle_length=32)


def parse_lines(lines):
    cols = dict(zip(COLUMNS, tf.io.decode_csv(lines, DEFAULTS)))
    fare = cols.pop("fare")
    return cols, fare


def input_fn(pattern, mode, params):
    training = mode == "train"
    shards = tf.io.gfile.glob(pattern)
    dataset = tf.data.Dataset.from_tensor_slices(shards)
    if training:
        dataset = dataset.shuffle(len(shards))
    dataset = dataset.apply(lambda d: d.interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=params["cycle_length"],
    ))
    if training:
        dataset = dataset.shuffle(params["shuffle"]).repeat()
    dataset = dataset.batch(params["batch_size"], drop_remainder=training)
    dataset = dataset.map(parse_lines, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.prefetch(tf.data.AUTOTUNE)


def main():
    columns = [tf.feature_column.numeric_column(c) for c in COLUMNS[1:]]
    est = tf.estimator.DNNRegressor(
        hidden_units=[256, 128, 32],
        feature_columns=columns,
        model_dir="/tmp/taxi",
        config=tf.estimator.RunConfig(save_checkpoints_secs=600),
    )
    make = functools.partial(input_fn, params=PARAMS)
    tf.estimator.train_and_evaluate(
        est,
        tf.estimator.TrainSpec(lambda: make("gs://taxi/train-*.csv", "train"), max_steps=300_000),
        tf.estimator.EvalSpec(lambda: make("gs://taxi/valid-*.csv", "eval"), steps=None),
    )


if __name__ == "__main__":
    main()
