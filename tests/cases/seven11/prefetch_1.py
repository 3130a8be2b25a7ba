"""CTR model on sharded TFRecords, Estimator style."""
import argparse

import tensorflow as tf

FEATURES = {
    "user_id": tf.io.FixedLenFeature([], tf.int64),
    "item_id": tf.io.FixedLenFeature([], tf.int64),
    "dense": tf.io.FixedLenFeature([13], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.float32),
}


def _parse(serialized):
    parsed = tf.io.parse_example(serialized, FEATURES)
    label = parsed.pop("label")
    return parsed, label


def make_input_fn(pattern, params, mode):
    def input_fn():
        training = mode == tf.estimator.ModeKeys.TRAIN
        files = tf.data.Dataset.list_files(pattern, shuffle=training, seed=7)
        ds = files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            block_length=32,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        if training:
            ds = ds.shuffle(params["shuffle_buffer"]).repeat()
        ds = ds.batch(params["batch_size"], drop_remainder=training)
        ds = ds.map(_parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds

    return input_fn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="gs://ads/train-*.tfrecord")
    parser.add_argument("--valid", default="gs://ads/valid-*.tfrecord")
    parser.add_argument("--model_dir", default="/tmp/ctr")
    args = parser.parse_args()
    params = {"batch_size": 4096, "shuffle_buffer": 200_000}

    user = tf.feature_column.categorical_column_with_hash_bucket("user_id", 500_000, tf.int64)
    item = tf.feature_column.categorical_column_with_hash_bucket("item_id", 100_000, tf.int64)
    estimator = tf.estimator.DNNClassifier(
        hidden_units=[512, 256, 64],
        feature_columns=[
            tf.feature_column.embedding_column(user, 32),
            tf.feature_column.embedding_column(item, 32),
            tf.feature_column.numeric_column("dense", shape=(13,)),
        ],
        model_dir=args.model_dir,
    )
    train_spec = tf.estimator.TrainSpec(
        make_input_fn(args.train, params, tf.estimator.ModeKeys.TRAIN), max_steps=200_000
    )
    eval_spec = tf.estimator.EvalSpec(
        make_input_fn(args.valid, params, tf.estimator.ModeKeys.EVAL), steps=500
    )
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


if __name__ == "__main__":
    main()
