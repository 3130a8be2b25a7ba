"""Click prediction with a canned Estimator on CSV shards."""
import tensorflow as tf

COLUMNS = ["clicked", "site", "device", "hour", "age"]
DEFAULTS = [[0], [""], [""], [0], [0.0]]
BATCH = 512


def parse(lines):
    row = dict(zip(COLUMNS, tf.io.decode_csv(lines, DEFAULTS)))
    return row, row.pop("clicked")


def input_fn_for(pattern, training):
    def input_fn():
        files = tf.io.gfile.glob(pattern)
        ds = tf.data.TextLineDataset(files, num_parallel_reads=4)
        if training:
            ds = ds.shuffle(100_000).repeat()
        ds = ds.batch(BATCH)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds

    return input_fn


def feature_columns():
    fc = tf.feature_column
    sites = fc.categorical_column_with_hash_bucket("site", 5000)
    devices = fc.categorical_column_with_vocabulary_list("device", ["phone", "tablet", "desktop"])
    return [
        fc.embedding_column(sites, 16),
        fc.indicator_column(devices),
        fc.numeric_column("hour"),
        fc.numeric_column("age"),
    ]


def main():
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.INFO)
    run_config = tf.estimator.RunConfig("models/clicks", save_checkpoints_steps=2000)
    estimator = tf.estimator.DNNClassifier([128, 64], feature_columns(), config=run_config)
    train_spec = tf.estimator.TrainSpec(input_fn_for("data/clicks/train-*.csv", True), max_steps=50_000)
    eval_spec = tf.estimator.EvalSpec(input_fn_for("data/clicks/eval-*.csv", False), steps=None)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


if __name__ == "__main__":
    main()
