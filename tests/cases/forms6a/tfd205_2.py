import argparse

import numpy as np
import tensorflow as tf

RATE = 16_000


def read_wav(path, label):
    audio, _ = tf.audio.decode_wav(
        tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    return audio[:, 0], label


def normalize(args):
    def _normalize(audio, label):
        wave = np.asarray(audio, dtype=np.float32)
        peak = np.abs(wave).max() + 1e-9
        return wave / peak * args.peak, label
    return _normalize


def spectrogram(args):
    def _spectrogram(audio, label):
        stft = tf.signal.stft(audio, args.frame_length, args.frame_step)
        return tf.math.log1p(tf.abs(stft)), label
    return _spectrogram


def build(args, paths, labels):
    stages = [read_wav]
    if args.normalize:
        stages.append(normalize(args))
    stages.append(spectrogram(args))
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    for stage in stages:
        ds = ds.map(stage, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(args.batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", default="/data/keywords/train.csv")
    parser.add_argument("--normalize", action="store_true")
    parser.add_argument("--peak", type=float, default=0.95)
    parser.add_argument("--frame-length", type=int, default=400)
    parser.add_argument("--frame-step", type=int, default=160)
    parser.add_argument("--batch-size", type=int, default=128)
    args = parser.parse_args()

    table = np.loadtxt(args.table, delimiter=",", dtype=str)
    ds = build(args, table[:, 0], table[:, 1].astype(np.int32))
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(ds, epochs=20)


if __name__ == "__main__":
    main()
