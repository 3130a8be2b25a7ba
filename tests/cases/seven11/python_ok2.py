import numpy as np
import tensorflow as tf
from scipy.stats import spearmanr

SR = 16_000
MEL = tf.signal.linear_to_mel_weight_matrix(80, 201, SR, 20.0, 7600.0)


def rank_corr(y_true, y_pred):
    def _corr(a, b):
        return np.float32(spearmanr(a.ravel(), b.ravel())[0])

    return tf.numpy_function(_corr, [y_true, y_pred], tf.float32)


def read_wav(path, score):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, SR * 6)
    return wav[:, 0], score


def log_mel(wav, score):
    spec = tf.abs(tf.signal.stft(wav, 400, 160))
    return tf.math.log(tf.matmul(spec, MEL) + 1e-5), score


def make(index, training):
    rows = np.loadtxt(index, dtype=str, delimiter=",")
    ds = tf.data.Dataset.from_tensor_slices((rows[:, 0], rows[:, 1].astype("float32")))
    if training:
        ds = ds.shuffle(len(rows))
    return (
        ds.map(read_wav, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(64)
        .map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, strides=2, activation="relu"),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
    model.fit(make("/data/mos/train.csv", True), epochs=20)
    test = make("/data/mos/test.csv", False)
    truth = np.concatenate([y for _, y in test.as_numpy_iterator()])
    print("rho", float(rank_corr(truth, model.predict(test))))


if __name__ == "__main__":
    main()
