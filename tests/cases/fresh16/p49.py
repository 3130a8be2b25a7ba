"""EEG seizure detection."""
import functools

import numpy as np
import tensorflow as tf
from scipy import signal

CHANNELS, SAMPLES, RATE = 19, 2560, 256


def graph_op(*dtypes):
    """Makes an array function usable inside a graph."""
    def wrap(fn):
        @functools.wraps(fn)
        def op(*args):
            out = tf.numpy_function(fn, args, list(dtypes))
            return out[0] if len(out) == 1 else tuple(out)
        return op
    return wrap


@graph_op(tf.float32)
def bandpass(x):
    sos = signal.butter(4, [0.5, 40.0], "band", fs=RATE, output="sos")
    return signal.sosfiltfilt(sos, x, axis=-1).astype(np.float32)


@graph_op(tf.float32)
def notch(x):
    b, a = signal.iirnotch(50.0, 30.0, RATE)
    return signal.filtfilt(b, a, x, axis=-1).astype(np.float32)


class Segments:
    cleaning = (notch, bandpass)

    def __init__(self, pattern):
        self.pattern = pattern

    def _read(self, blob):
        row = tf.io.parse_single_example(blob, {
            "eeg": tf.io.FixedLenFeature([CHANNELS * SAMPLES], tf.float32),
            "seizure": tf.io.FixedLenFeature([1], tf.float32),
        })
        return tf.reshape(row["eeg"], [CHANNELS, SAMPLES]), row["seizure"]

    def _clean(self, eeg, seizure):
        for op in self.cleaning:
            eeg = op(eeg)
        eeg = tf.ensure_shape(eeg, [CHANNELS, SAMPLES])
        return tf.transpose(eeg), seizure

    def dataset(self, batch):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(4000)
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self._clean, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def eegnet():
    return tf.keras.Sequential([
        tf.keras.Input((SAMPLES, CHANNELS)),
        tf.keras.layers.Conv1D(32, 64, 4, activation="elu"),
        tf.keras.layers.Conv1D(64, 16, 4, activation="elu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])


if __name__ == "__main__":
    net = eegnet()
    net.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    net.fit(Segments("tuh/train-*.tfrecord").dataset(64), epochs=20)
