"""Five-fold cross-validation of a bird-call classifier."""
import argparse
import os

import numpy as np
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold


def log_mel(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000 * 5)
    spec = tf.abs(tf.signal.stft(wave[:, 0], 1024, 320))
    weights = tf.signal.linear_to_mel_weight_matrix(64, 513, 16000)
    return tf.math.log(spec @ weights + 1e-5), label


def loader(files, labels, args, training):
    ds = tf.data.Dataset.from_tensor_slices((files, labels))
    ds = ds.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(os.path.join(args.scratch, "log_mel"))
    if training:
        ds = ds.shuffle(len(files))
    return ds.batch(args.batch).prefetch(tf.data.AUTOTUNE)


def network(classes):
    return tf.keras.Sequential([
        tf.keras.layers.Input((247, 64)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.MaxPooling1D(4),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(96)),
        tf.keras.layers.Dense(classes, activation="softmax"),
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--index", default="/data/birds/index.npz")
    parser.add_argument("--scratch", default="/scratch/birds")
    parser.add_argument("--batch", type=int, default=64)
    args = parser.parse_args()
    index = np.load(args.index)
    files, labels = index["files"], index["labels"]
    scores = []
    for fold, (tr, va) in enumerate(StratifiedKFold(5, shuffle=True, random_state=3).split(files, labels)):
        train = loader(files[tr], labels[tr], args, True)
        valid = loader(files[va], labels[va], args, False)
        model = network(int(labels.max()) + 1)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(train, epochs=25, verbose=2)
        scores.append(model.evaluate(valid, verbose=0)[1])
        print("fold", fold, scores[-1])
    print("mean", np.mean(scores))


if __name__ == "__main__":
    main()
