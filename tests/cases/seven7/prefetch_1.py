"""Wide & deep CTR model on the Criteo 1TB click logs (Estimator version)."""
import argparse
import os

import tensorflow as tf

NUM_DENSE = 13
NUM_SPARSE = 26


def feature_spec():
    spec = {"I%d" % i: tf.io.FixedLenFeature([1], tf.float32, default_value=0.0)
            for i in range(1, NUM_DENSE + 1)}
    spec.update({"C%d" % i: tf.io.FixedLenFeature([1], tf.string, default_value="")
                 for i in range(1, NUM_SPARSE + 1)})
    spec["label"] = tf.io.FixedLenFeature([1], tf.int64)
    return spec


def build_columns():
    dense = [tf.feature_column.numeric_column("I%d" % i) for i in range(1, NUM_DENSE + 1)]
    deep = list(dense)
    wide = []
    for i in range(1, NUM_SPARSE + 1):
        cat = tf.feature_column.categorical_column_with_hash_bucket("C%d" % i, 100000)
        wide.append(cat)
        deep.append(tf.feature_column.embedding_column(cat, 16))
    return wide, deep


def make_input_fn(pattern, batch_size, mode):
    spec = feature_spec()

    def _parse_batch(serialized):
        features = tf.io.parse_example(serialized, spec)
        label = features.pop("label")
        return features, label

    def _input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=mode == "train")
        ds = files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        if mode == "train":
            ds = ds.shuffle(200000).repeat()
        ds = ds.batch(batch_size, drop_remainder=mode == "train")
        ds = ds.map(_parse_batch, num_parallel_calls=tf.data.AUTOTUNE)
        return ds

    return _input_fn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data_dir", default="/mnt/criteo/tfrecord")
    parser.add_argument("--model_dir", default="/mnt/models/wd")
    parser.add_argument("--batch_size", type=int, default=8192)
    parser.add_argument("--max_steps", type=int, default=480000)
    args = parser.parse_args()

    wide, deep = build_columns()
    estimator = tf.estimator.DNNLinearCombinedClassifier(
        model_dir=args.model_dir,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=[1024, 512, 256],
        config=tf.estimator.RunConfig(save_checkpoints_steps=10000),
    )
    train_fn = make_input_fn(
        os.path.join(args.data_dir, "day_[0-9]*.tfrecord"), args.batch_size, "train")
    eval_fn = make_input_fn(
        os.path.join(args.data_dir, "eval_*.tfrecord"), args.batch_size, "eval")
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(train_fn, max_steps=args.max_steps),
        tf.estimator.EvalSpec(eval_fn, steps=500, throttle_secs=1200),
    )


if __name__ == "__main__":
    main()
