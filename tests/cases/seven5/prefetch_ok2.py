"""Demand forecast per shop with a boosted Estimator."""
import tensorflow as tf

COLUMNS = ["shop", "weekday", "price", "promo", "sales"]
DEFAULTS = [[0.0]] * len(COLUMNS)


def parse(lines):
    values = tf.io.decode_csv(lines, DEFAULTS)
    features = dict(zip(COLUMNS, values))
    return features, features.pop("sales")


def finish(ds):
    return ds.prefetch(tf.data.AUTOTUNE)


def input_fn(pattern, batch_size, training):
    options = tf.data.Options()
    options.experimental_deterministic = not training
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(
        lambda name: tf.data.TextLineDataset(name).skip(1),
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    if training:
        ds = ds.shuffle(50_000).repeat()
    ds = ds.batch(batch_size).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.apply(finish).with_options(options)


def main():
    columns = [tf.feature_column.numeric_column(c) for c in COLUMNS[:-1]]
    model = tf.estimator.DNNRegressor([128, 64], columns, model_dir="/models/demand")
    train_spec = tf.estimator.TrainSpec(
        lambda: input_fn("/data/sales/train-*.csv", 1024, True), max_steps=80_000)
    eval_spec = tf.estimator.EvalSpec(
        lambda: input_fn("/data/sales/eval-*.csv", 1024, False), steps=None)
    tf.estimator.train_and_evaluate(model, train_spec, eval_spec)


if __name__ == "__main__":
    main()
