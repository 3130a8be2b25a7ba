"""Five-fold cross validation of the raman classifier."""
import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDS = 5
GRID = 1024


def smooth(spectrum, label):
    x = spectrum[tf.newaxis, :, tf.newaxis]
    kernel = tf.ones([15, 1, 1]) / 15.0
    low = x
    for _ in range(60):
        low = tf.minimum(low, tf.nn.conv1d(low, kernel, 1, "SAME"))
    clean = (x - low)[0, :, 0]
    return clean / tf.reduce_max(clean), label


class CrossValidation:
    def __init__(self, spectra, labels, workdir):
        self.spectra, self.labels = spectra, labels
        self.workdir = workdir
        order = np.random.default_rng(8).permutation(len(labels))
        self.parts = np.array_split(order, FOLDS)

    def _pipe(self, rows, k, name):
        ds = tf.data.Dataset.from_tensor_slices((self.spectra[rows], self.labels[rows]))
        ds = ds.map(smooth, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache(os.path.join(self.workdir, f"fold{k}_{name}.cache"))

    def fold(self, k):
        held = self.parts[k]
        rest = np.concatenate([p for i, p in enumerate(self.parts) if i != k])
        fit = self._pipe(rest, k, "fit").shuffle(len(rest)).batch(64)
        check = self._pipe(held, k, "check").batch(256)
        return fit.prefetch(tf.data.AUTOTUNE), check.prefetch(tf.data.AUTOTUNE)

    def run(self, factory, epochs=25):
        scores = []
        for k in range(FOLDS):
            tf.keras.backend.clear_session()
            model = factory()
            fit, check = self.fold(k)
            model.fit(fit, epochs=epochs, verbose=0)
            scores.append(model.evaluate(check, verbose=0)[1])
            print(f"fold {k}: {scores[-1]:.3f}")
        return np.mean(scores), np.std(scores)


def classifier():
    net = tf.keras.Sequential([
        tf.keras.Input((GRID,)),
        tf.keras.layers.Reshape((GRID, 1)),
        tf.keras.layers.Conv1D(32, 21, 4, activation="relu"),
        tf.keras.layers.Conv1D(64, 11, 4, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(30, activation="softmax"),
    ])
    net.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    return net


if __name__ == "__main__":
    x = np.load("bacteria_x.npy").astype(np.float32)
    y = np.load("bacteria_y.npy").astype(np.int32)
    with tempfile.TemporaryDirectory() as tmp:
        print("%.3f +- %.3f" % CrossValidation(x, y, tmp).run(classifier))
