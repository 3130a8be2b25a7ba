"""Basset-like chromatin accessibility CNN; reads HDF5 by row."""
from functools import partial

import h5py
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L

Dataset = tf.data.Dataset
SEQ_LEN, TARGETS = 600, 164


def h5_rows(filename, split, shuffle_blocks=True):
    with h5py.File(filename, 'r') as h5:
        seqs, accs = h5[split + '_in'], h5[split + '_out']
        starts = np.arange(0, len(seqs), 1024)
        if shuffle_blocks:
            np.random.shuffle(starts)
        for s in starts:
            x = seqs[s:s + 1024].astype('float32')
            y = accs[s:s + 1024].astype('float32')
            for row in np.random.permutation(len(x)):
                yield x[row], y[row]


def open_split(filename, split, batch_size, training):
    reader = partial(h5_rows, filename, split, shuffle_blocks=training)
    ds = Dataset.from_generator(
        reader,
        output_types=(tf.float32, tf.float32),
        output_shapes=((SEQ_LEN, 4), (TARGETS,)),
    )
    if training:
        ds = ds.shuffle(20000)
    return ds.batch(batch_size, drop_remainder=training).prefetch(
        tf.data.AUTOTUNE)


def basset():
    return tf.keras.Sequential([
        L.Input((SEQ_LEN, 4)),
        L.Conv1D(300, 19, padding='same', activation='relu'),
        L.MaxPool1D(3),
        L.Conv1D(200, 11, padding='same', activation='relu'),
        L.MaxPool1D(4),
        L.Conv1D(200, 7, padding='same', activation='relu'),
        L.MaxPool1D(4),
        L.Flatten(),
        L.Dense(1000, activation='relu'),
        L.Dropout(0.3),
        L.Dense(TARGETS, activation='sigmoid'),
    ])


def run(h5='/data/encode/encode_roadmap.h5', epochs=50, batch_size=256):
    train = open_split(h5, 'train', batch_size, True)
    valid = open_split(h5, 'valid', batch_size, False)
    model = basset()
    model.compile(tf.keras.optimizers.RMSprop(1e-3), 'binary_crossentropy',
                  metrics=[tf.keras.metrics.AUC()])
    model.fit(train, validation_data=valid, epochs=epochs,
              callbacks=[tf.keras.callbacks.EarlyStopping(patience=6)])
    model.save('basset.keras')


if __name__ == '__main__':
    run()
