"""Molecule property regression: convert SDF-derived npz once, train from TFRecord."""
import argparse
import glob

import numpy as np
import tensorflow as tf

ATOMS, FEATS = 29, 14


def molecule_generator(pattern):
    for path in sorted(glob.glob(pattern)):
        with np.load(path) as z:
            for x, y in zip(z['atoms'], z['u0']):
                yield x.astype(np.float32), np.float32(y)


def to_example(x, y):
    feature = {
        'x': tf.train.Feature(float_list=tf.train.FloatList(value=x.ravel())),
        'y': tf.train.Feature(float_list=tf.train.FloatList(value=[y])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))


def convert(pattern, out, shards=32):
    writers = [tf.io.TFRecordWriter('%s-%02d' % (out, i)) for i in range(shards)]
    for n, (x, y) in enumerate(molecule_generator(pattern)):
        writers[n % shards].write(to_example(x, y).SerializeToString())
    for w in writers:
        w.close()


def dataset(prefix, batch):
    def parse(records):
        ex = tf.io.parse_example(records, {
            'x': tf.io.FixedLenFeature([ATOMS, FEATS], tf.float32),
            'y': tf.io.FixedLenFeature([1], tf.float32)})
        return ex['x'], ex['y']

    return (tf.data.Dataset.list_files(prefix + '-*')
            .interleave(tf.data.TFRecordDataset,
                        num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(50000)
            .batch(batch)
            .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))


def train(prefix):
    model = tf.keras.Sequential([
        tf.keras.layers.Input((ATOMS, FEATS)),
        tf.keras.layers.Dense(128, activation='swish'),
        tf.keras.layers.Dense(128, activation='swish'),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1)])
    model.compile('adam', 'mae')
    model.fit(dataset(prefix, 256), epochs=200)


if __name__ == '__main__':
    cli = argparse.ArgumentParser()
    cli.add_argument('command', choices=['convert', 'train'])
    cli.add_argument('--npz', default='/data/qm9/*.npz')
    cli.add_argument('--prefix', default='/data/qm9/tfrecord/train')
    ns = cli.parse_args()
    if ns.command == 'convert':
        convert(ns.npz, ns.prefix)
    else:
        train(ns.prefix)
