import tensorflow as tf

PARAMS = {
    "reader": {"cycle_length": 20, "block_length": 16, "num_parallel_calls": None},
    "shuffle_buffer": 20_000,
    "batch_size": 512,
}

COLUMNS = ["user", "item", "hour", "rating"]
DEFAULTS = [[0], [0], [0], [0.0]]


def parse_csv(lines):
    cols = tf.io.decode_csv(lines, DEFAULTS)
    features = dict(zip(COLUMNS, cols))
    rating = features.pop("rating")
    return features, rating


def make_input_fn(pattern, params, training):
    def input_fn():
        def without_header(name):
            return tf.data.TextLineDataset(name).skip(1)

        names = tf.data.Dataset.list_files(pattern, shuffle=training)
        lines = names.interleave(without_header, **params["reader"])
        if training:
            lines = lines.shuffle(params["shuffle_buffer"]).repeat()
        batches = lines.batch(params["batch_size"])
        batches = batches.map(parse_csv, num_parallel_calls=tf.data.AUTOTUNE)
        return batches.prefetch(tf.data.AUTOTUNE)

    return input_fn


def main():
    fc = tf.feature_column
    columns = [
        fc.embedding_column(
            fc.categorical_column_with_hash_bucket(key, size, dtype=tf.int32), 16)
        for key, size in [("user", 200_000), ("item", 50_000), ("hour", 24)]
    ]
    estimator = tf.estimator.DNNRegressor(
        hidden_units=[256, 64], feature_columns=columns, model_dir="/tmp/ratings")
    train = tf.estimator.TrainSpec(
        make_input_fn("/data/ratings/train-*.csv", PARAMS, True), max_steps=100_000)
    valid = tf.estimator.EvalSpec(
        make_input_fn("/data/ratings/valid-*.csv", PARAMS, False))
    tf.estimator.train_and_evaluate(estimator, train, valid)


if __name__ == "__main__":
    main()
