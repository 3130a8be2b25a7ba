"""Wide & Deep on Avazu click logs."""
import argparse
import collections

import tensorflow as tf

NUMERIC = ['C1', 'C14', 'C15', 'C16', 'C17', 'C18', 'C19', 'C20', 'C21']
STRINGS = ['site_id', 'site_domain', 'site_category', 'app_id', 'app_domain',
           'app_category', 'device_id', 'device_ip', 'device_model']
COLUMNS = collections.OrderedDict(
    [('click', tf.float32)] + [(n, tf.float32) for n in NUMERIC] +
    [(s, tf.string) for s in STRINGS])
BUCKETS = 200_000


def to_dict(*cols):
    row = dict(zip(COLUMNS, cols))
    return row, row.pop('click')


def transform(features, label):
    out = {}
    for n in NUMERIC:
        out[n] = tf.math.log1p(tf.nn.relu(features[n]))
    for s in STRINGS:
        out[s] = tf.strings.to_hash_bucket_fast(features[s], BUCKETS)
    return out, label


class AvazuInput:
    def __init__(self, files, batch_size):
        self.files = files
        self.batch_size = batch_size

    def __call__(self):
        rows = tf.data.Dataset.from_tensor_slices(self.files).interleave(
            lambda f: tf.data.experimental.CsvDataset(
                f, list(COLUMNS.values()), header=True),
            cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        rows = rows.map(to_dict, num_parallel_calls=tf.data.AUTOTUNE)
        rows = rows.shuffle(500_000)
        return (rows
                .map(transform, num_parallel_calls=tf.data.AUTOTUNE)
                .batch(self.batch_size, drop_remainder=True)
                .prefetch(tf.data.AUTOTUNE))


def wide_deep():
    inputs = {n: tf.keras.Input((), name=n) for n in NUMERIC}
    inputs.update({s: tf.keras.Input((), name=s, dtype=tf.int64)
                   for s in STRINGS})
    dense = [tf.keras.layers.Reshape((1,))(inputs[n]) for n in NUMERIC]
    embs = [tf.keras.layers.Embedding(BUCKETS, 16)(inputs[s]) for s in STRINGS]
    wide = [tf.keras.layers.Embedding(BUCKETS, 1)(inputs[s]) for s in STRINGS]
    x = tf.keras.layers.Concatenate()(dense + embs)
    for units in (512, 256, 128):
        x = tf.keras.layers.Dense(units, activation='relu')(x)
    logit = tf.keras.layers.Dense(1)(x)
    logit = tf.keras.layers.Add()([logit] + wide)
    return tf.keras.Model(inputs, tf.keras.layers.Activation('sigmoid')(logit))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--pattern', default='/data/avazu/train_*.csv')
    ap.add_argument('--batch_size', type=int, default=16384)
    args = ap.parse_args()
    files = tf.io.gfile.glob(args.pattern)
    model = wide_deep()
    model.compile('adagrad', 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC()])
    model.fit(AvazuInput(files, args.batch_size)(), epochs=2)


if __name__ == '__main__':
    main()
