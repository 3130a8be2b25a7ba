import functools

import numpy as np
import soundfile
import librosa
import tensorflow as tf


def py_mapped(*dtypes):
    """Lets a NumPy function be used as a transformation."""
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*tensors):
            return tf.numpy_function(fn, tensors, list(dtypes))
        return wrapper
    return decorate


@py_mapped(tf.float32, tf.int64)
def features(path, label):
    audio, rate = soundfile.read(path.decode(), dtype="float32")
    mel = librosa.feature.melspectrogram(y=audio[:rate * 4], sr=rate, n_mels=64)
    return librosa.power_to_db(mel).astype(np.float32).T, label


def set_shape(mel, label):
    mel.set_shape([None, 64])
    label.set_shape([])
    return mel, label


def build(paths, labels, training):
    ds = tf.data.Dataset.from_tensor_slices((paths, np.asarray(labels, np.int64)))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(features, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(set_shape, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.padded_batch(32, ([400, 64], [])).prefetch(tf.data.AUTOTUNE)


def main():
    table = np.genfromtxt("/data/urbansound/train.csv", delimiter=",", dtype=str)
    train = build(table[:, 0], table[:, 1].astype(int), True)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=40)


if __name__ == "__main__":
    main()
