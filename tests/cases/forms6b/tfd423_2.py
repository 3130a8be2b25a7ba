import argparse

import numpy as np
import scipy.io.wavfile
import scipy.signal
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
RATE = 16_000


def load_wav(path):
    rate, audio = scipy.io.wavfile.read(path.decode())
    audio = scipy.signal.resample_poly(audio.astype(np.float32), RATE, rate)
    audio = audio[:RATE] if len(audio) >= RATE else np.pad(audio, (0, RATE - len(audio)))
    audio = (audio / 32768.0).astype(np.float32)
    loudness = np.float32(np.sqrt(np.mean(audio**2)))
    return audio, loudness


def load(path, label):
    audio = tf.numpy_function(load_wav, [path], Tout=tf.float32)
    audio = tf.ensure_shape(audio, [RATE])
    return audio[:, tf.newaxis], label


def make_dataset(index, batch_size, training):
    table = np.loadtxt(index, delimiter="\t", dtype=str)
    ds = tf.data.Dataset.from_tensor_slices((table[:, 0], table[:, 1].astype("int32")))
    if training:
        ds = ds.shuffle(len(table))
    ds = ds.map(load, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", default="/data/birds/train.tsv")
    parser.add_argument("--val", default="/data/birds/val.tsv")
    parser.add_argument("--batch_size", type=int, default=64)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.Input((RATE, 1)),
        tf.keras.layers.Conv1D(64, 80, strides=16, activation="relu"),
        tf.keras.layers.Conv1D(128, 9, strides=4, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(264, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        make_dataset(args.train, args.batch_size, True),
        validation_data=make_dataset(args.val, args.batch_size, False),
        epochs=30,
    )


if __name__ == "__main__":
    main()
