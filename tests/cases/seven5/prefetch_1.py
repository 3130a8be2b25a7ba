"""Click-through model on a month of ad logs, trained with an Estimator."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Params:
    train_pattern: str = "/data/ads/2022-03/train-*.tfrecord"
    eval_pattern: str = "/data/ads/2022-03/eval-*.tfrecord"
    batch_size: int = 2048
    shuffle_buffer: int = 200_000
    max_steps: int = 150_000


SPEC = {
    "user": tf.io.FixedLenFeature([64], tf.float32),
    "ad": tf.io.FixedLenFeature([64], tf.float32),
    "clicked": tf.io.FixedLenFeature([], tf.int64),
}


def make_input_fn(pattern, params, training):
    def parse(serialized):
        features = tf.io.parse_single_example(serialized, SPEC)
        label = features.pop("clicked")
        return features, label

    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        records = files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
            deterministic=not training,
        )
        if training:
            records = records.shuffle(params.shuffle_buffer).repeat()
        examples = records.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return examples.batch(params.batch_size)

    return input_fn


def main():
    params = Params()
    columns = [tf.feature_column.numeric_column(k, shape=[64]) for k in ("user", "ad")]
    estimator = tf.estimator.DNNClassifier([512, 256, 64], columns, model_dir="/models/ctr")
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(make_input_fn(params.train_pattern, params, True), max_steps=params.max_steps),
        tf.estimator.EvalSpec(make_input_fn(params.eval_pattern, params, False), steps=None),
    )


if __name__ == "__main__":
    main()
