"""Trains the canned linear classifier on the census files, and evaluates it after every epoch."""
import argparse

import tensorflow as tf

COLUMNS = ['age', 'workclass', 'education', 'education_num', 'hours_per_week', 'income']
DEFAULTS = [[0], [''], [''], [0], [0], ['']]

age = tf.feature_column.numeric_column('age')
hours = tf.feature_column.numeric_column('hours_per_week')
education = tf.feature_column.categorical_column_with_hash_bucket('education', 1000)
workclass = tf.feature_column.categorical_column_with_hash_bucket('workclass', 100)
age_buckets = tf.feature_column.bucketized_column(age, boundaries=[18, 25, 30, 35, 40, 45, 50, 55, 60, 65])


def get_input_fn(data_file, batch_size, shuffle):
    def parse_csv(line):
        line = tf.strings.regex_replace(line, ', ', ',')
        columns = tf.io.decode_csv(line, record_defaults=DEFAULTS)
        features = dict(zip(COLUMNS, columns))
        words = tf.strings.split(tf.strings.strip(features.pop('income')))
        return features, tf.cast(tf.equal(words[0], '>50K'), tf.int64)

    def input_fn():
        dataset = tf.data.TextLineDataset(data_file)
        if shuffle:
            dataset = dataset.shuffle(buffer_size=32561)
        dataset = dataset.map(parse_csv)
        return dataset.batch(batch_size)

    return input_fn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--train_file', default='/tmp/census/adult.data')
    parser.add_argument('--eval_file', default='/tmp/census/adult.test')
    parser.add_argument('--model_dir', default='/tmp/census_model')
    parser.add_argument('--epochs', type=int, default=10)
    parser.add_argument('--batch_size', type=int, default=40)
    args = parser.parse_args()

    run_config = tf.estimator.RunConfig(model_dir=args.model_dir, save_summary_steps=500)
    classifier = tf.estimator.LinearClassifier(
        feature_columns=[age_buckets, hours, education, workclass],
        config=run_config,
        optimizer=tf.keras.optimizers.Ftrl(learning_rate=0.1, l1_regularization_strength=0.5))

    for epoch in range(args.epochs):
        classifier.train(input_fn=get_input_fn(args.train_file, args.batch_size, True))
        results = classifier.evaluate(input_fn=get_input_fn(args.eval_file, 200, False))
        print('epoch', epoch)
        for key in sorted(results):
            print('  %s: %s' % (key, results[key]))


if __name__ == '__main__':
    main()
