import tensorflow as tf

SCHEMA = {
    "user": tf.io.FixedLenFeature([], tf.int64),
    "item": tf.io.FixedLenFeature([], tf.int64),
    "clicked": tf.io.FixedLenFeature([], tf.float32),
}


def parse_batch(records):
    features = tf.io.parse_example(records, SCHEMA)
    return features, features.pop("clicked")


def make_input_fn(pattern, batch_size, training):
    def input_fn(input_context=None):
        files = tf.data.Dataset.list_files(pattern, shuffle=False)
        ds = files.flat_map(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"))
        if input_context is not None and training:
            ds = ds.shard(
                input_context.num_input_pipelines,
                input_context.input_pipeline_id)
        if training:
            ds = ds.shuffle(200_000).repeat()
        ds = ds.batch(batch_size, drop_remainder=training)
        ds = ds.map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(2)

    return input_fn


def main():
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    config = tf.estimator.RunConfig(train_distribute=strategy, model_dir="/models/ctr")
    columns = [
        tf.feature_column.embedding_column(
            tf.feature_column.categorical_column_with_hash_bucket(k, 1_000_000, tf.int64), 32)
        for k in ("user", "item")
    ]
    estimator = tf.estimator.DNNClassifier([256, 128], columns, config=config)
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(
            make_input_fn("hdfs://ads/train/part-*.gz", 8192, True), max_steps=500_000),
        tf.estimator.EvalSpec(make_input_fn("hdfs://ads/eval/part-*.gz", 8192, False)))


if __name__ == "__main__":
    main()
