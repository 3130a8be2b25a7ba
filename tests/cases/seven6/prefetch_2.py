import argparse

import tensorflow as tf

parser = argparse.ArgumentParser(description='Bird classifier')
parser.add_argument('--train-pattern', default='/data/birds/train-*.tfrecord.gz')
parser.add_argument('--eval-pattern', default='/data/birds/val-*.tfrecord.gz')
parser.add_argument('--steps', type=int, default=200000)
parser.add_argument('--job-dir', required=True)
args = parser.parse_args()

NUM_CLASSES = 555
BATCH = 96


def _parse(serialized):
    f = tf.io.parse_single_example(serialized, {
        'jpeg': tf.io.FixedLenFeature((), tf.string),
        'species': tf.io.FixedLenFeature((), tf.int64)})
    img = tf.io.decode_jpeg(f['jpeg'], channels=3)
    img = tf.image.resize_with_pad(tf.cast(img, tf.float32) / 255., 299, 299)
    return img, tf.one_hot(f['species'], NUM_CLASSES)


def _mixup(images, labels):
    lam = tf.random.uniform([], 0.6, 1.0)
    return (lam * images + (1 - lam) * tf.reverse(images, [0]),
            lam * labels + (1 - lam) * tf.reverse(labels, [0]))


def train_input_fn():
    ds = tf.data.Dataset.list_files(args.train_pattern, shuffle=True)
    ds = ds.interleave(lambda f: tf.data.TFRecordDataset(f, 'GZIP'),
                       cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).repeat()
    ds = ds.map(_parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.prefetch(BATCH * 2)
    ds = ds.batch(BATCH, drop_remainder=True)
    return ds.map(_mixup, num_parallel_calls=tf.data.AUTOTUNE)


def eval_input_fn():
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(args.eval_pattern), 'GZIP',
                                 num_parallel_reads=8)
    ds = ds.map(_parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH).prefetch(2)


keras_model = tf.keras.applications.InceptionV3(weights=None, classes=NUM_CLASSES)
keras_model.compile('adam', 'categorical_crossentropy', metrics=['accuracy'])
estimator = tf.keras.estimator.model_to_estimator(keras_model, model_dir=args.job_dir)
tf.estimator.train_and_evaluate(
    estimator,
    tf.estimator.TrainSpec(train_input_fn, max_steps=args.steps),
    tf.estimator.EvalSpec(eval_input_fn, steps=None))
