"""Wide & deep CTR model (Criteo 1TB, TFRecords) with tf.estimator."""
from absl import app
from absl import flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("train_pattern", "gs://ctr-data/criteo/train/part-*", "Train files.")
flags.DEFINE_string("eval_pattern", "gs://ctr-data/criteo/eval/part-*", "Eval files.")
flags.DEFINE_string("model_dir", "/tmp/wide_deep", "Model directory.")
flags.DEFINE_integer("batch_size", 4096, "Batch size.")
flags.DEFINE_integer("max_steps", 1000000, "Train steps.")

NUMERIC = ["I%d" % i for i in range(1, 14)]
CATEGORICAL = ["C%d" % i for i in range(1, 27)]


def feature_spec():
    spec = {k: tf.io.FixedLenFeature([], tf.float32, 0.0) for k in NUMERIC}
    spec.update({k: tf.io.FixedLenFeature([], tf.string, "") for k in CATEGORICAL})
    spec["label"] = tf.io.FixedLenFeature([], tf.int64)
    return spec


def make_input_fn(pattern, batch_size, training):
    spec = feature_spec()

    def parse_batch(serialized):
        features = tf.io.parse_example(serialized, spec)
        label = features.pop("label")
        return features, tf.expand_dims(label, -1)

    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            tf.data.TFRecordDataset,
            cycle_length=32,
            block_length=16,
            num_parallel_calls=tf.data.experimental.AUTOTUNE)
        if training:
            ds = ds.shuffle(batch_size * 20).repeat()
        ds = ds.batch(batch_size, drop_remainder=training)
        ds = ds.map(parse_batch, num_parallel_calls=8)
        return ds

    return input_fn


def build_columns():
    wide, deep = [], []
    for name in CATEGORICAL:
        col = tf.feature_column.categorical_column_with_hash_bucket(name, 100000)
        wide.append(col)
        deep.append(tf.feature_column.embedding_column(col, dimension=16))
    for name in NUMERIC:
        deep.append(tf.feature_column.numeric_column(name))
    return wide, deep


def main(_):
    wide, deep = build_columns()
    estimator = tf.estimator.DNNLinearCombinedClassifier(
        model_dir=FLAGS.model_dir,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=[1024, 512, 256],
        config=tf.estimator.RunConfig(save_checkpoints_steps=10000))
    train_spec = tf.estimator.TrainSpec(
        make_input_fn(FLAGS.train_pattern, FLAGS.batch_size, True), FLAGS.max_steps)
    eval_spec = tf.estimator.EvalSpec(
        make_input_fn(FLAGS.eval_pattern, FLAGS.batch_size, False), steps=500)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


if __name__ == "__main__":
    app.run(main)
