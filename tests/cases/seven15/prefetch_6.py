import tensorflow as tf

CATEGORICAL = {"device": 12, "country": 240, "hour": 24}
NUMERIC = ["price", "dwell", "age_days"]


def feature_columns():
    cols = [tf.feature_column.numeric_column(n) for n in NUMERIC]
    for name, size in CATEGORICAL.items():
        c = tf.feature_column.categorical_column_with_identity(name, size)
        cols.append(tf.feature_column.embedding_column(c, 8))
    return cols


def example_spec():
    out = {n: tf.io.FixedLenFeature([], tf.float32) for n in NUMERIC}
    out.update({n: tf.io.FixedLenFeature([], tf.int64) for n in CATEGORICAL})
    out["click"] = tf.io.FixedLenFeature([], tf.int64)
    return out


def parse_batch(serialized):
    feats = tf.io.parse_example(serialized, example_spec())
    return feats, feats.pop("click")


def input_fn_factory(pattern, batch_size, training):
    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training)
        if training:
            ds = ds.shuffle(100_000).repeat()
        ds = ds.batch(batch_size)
        ds = ds.map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE)
        return ds

    return input_fn


def main():
    tf.get_logger().setLevel("INFO")
    clf = tf.estimator.DNNClassifier(
        hidden_units=[256, 128, 64],
        feature_columns=feature_columns(),
        model_dir="/models/ctr",
        config=tf.estimator.RunConfig(save_checkpoints_steps=5000),
    )
    train_spec = tf.estimator.TrainSpec(
        input_fn_factory("/logs/ctr/train-*", 2048, True), max_steps=200_000)
    eval_spec = tf.estimator.EvalSpec(
        input_fn_factory("/logs/ctr/eval-*", 4096, False), steps=None)
    tf.estimator.train_and_evaluate(clf, train_spec, eval_spec)


if __name__ == "__main__":
    main()
