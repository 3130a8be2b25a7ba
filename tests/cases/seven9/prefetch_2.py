"""DeepFM on the full Criteo display-advertising logs (tf.estimator)."""
from absl import app
from absl import flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string('train_glob', '/data/criteo/day_*.tsv', 'train files')
flags.DEFINE_string('eval_glob', '/data/criteo/eval_*.tsv', 'eval files')
flags.DEFINE_string('model_dir', '/models/deepfm', '')
flags.DEFINE_integer('batch_size', 8192, '')
flags.DEFINE_integer('train_steps', 400000, '')

INT_COLS = ['I%d' % i for i in range(1, 14)]
CAT_COLS = ['C%d' % i for i in range(1, 27)]
DEFAULTS = [[0]] + [[0.0]] * len(INT_COLS) + [['']] * len(CAT_COLS)


def parse_csv(lines):
    cols = tf.io.decode_csv(lines, DEFAULTS, field_delim='\t')
    features = dict(zip(INT_COLS + CAT_COLS, cols[1:]))
    for name in INT_COLS:
        features[name] = tf.math.log1p(tf.maximum(features[name], 0.0))
    return features, cols[0]


def make_input_fn(pattern, batch_size, training):

    def input_fn():
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            tf.data.TextLineDataset, cycle_length=8, block_length=64,
            num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.prefetch(batch_size * 2)
        if training:
            ds = ds.shuffle(batch_size * 10).repeat()
        ds = ds.batch(batch_size)
        ds = ds.map(parse_csv, num_parallel_calls=tf.data.AUTOTUNE)
        return ds

    return input_fn


def feature_columns():
    dense = [tf.feature_column.numeric_column(c) for c in INT_COLS]
    cats = [tf.feature_column.categorical_column_with_hash_bucket(c, 1000000)
            for c in CAT_COLS]
    emb = [tf.feature_column.embedding_column(c, 16) for c in cats]
    return dense + emb, cats


def main(_):
    deep, wide = feature_columns()
    est = tf.estimator.DNNLinearCombinedClassifier(
        model_dir=FLAGS.model_dir,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=[400, 400, 400],
        config=tf.estimator.RunConfig(save_checkpoints_steps=10000))
    train_spec = tf.estimator.TrainSpec(
        make_input_fn(FLAGS.train_glob, FLAGS.batch_size, True),
        max_steps=FLAGS.train_steps)
    eval_spec = tf.estimator.EvalSpec(
        make_input_fn(FLAGS.eval_glob, FLAGS.batch_size, False), steps=1000)
    tf.estimator.train_and_evaluate(est, train_spec, eval_spec)


if __name__ == '__main__':
    app.run(main)
