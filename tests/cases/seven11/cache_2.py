"""Keyword spotting. The pipeline is a table of (method, kwargs)."""
import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
WORDS = sorted(d for d in os.listdir("/data/speech_commands") if not d.startswith("_"))
MEL = tf.signal.linear_to_mel_weight_matrix(40, 257, 16_000, 20.0, 7_600.0)
DCT = 13


def load(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16_000)
    word = tf.strings.split(path, os.sep)[-2]
    return wav[:, 0], tf.argmax(tf.cast(tf.equal(word, WORDS), tf.int32))


def mfcc(wav, label):
    spec = tf.abs(tf.signal.stft(wav, 512, 160))
    logmel = tf.math.log(tf.matmul(spec, MEL) + 1e-6)
    return tf.signal.mfccs_from_log_mel_spectrograms(logmel)[..., :DCT], label


STEPS = [
    ("map", dict(map_func=load, num_parallel_calls=AUTO)),
    ("cache", {}),
    ("shuffle", dict(buffer_size=90_000)),
    ("batch", dict(batch_size=256)),
    ("map", dict(map_func=mfcc, num_parallel_calls=AUTO)),
    ("prefetch", dict(buffer_size=AUTO)),
]


def run_steps(ds, steps):
    for method, kwargs in steps:
        ds = getattr(ds, method)(**kwargs)
    return ds


def main():
    paths = tf.io.gfile.glob("/data/speech_commands/*/*.wav")
    train = run_steps(tf.data.Dataset.from_tensor_slices(paths), STEPS)
    model = tf.keras.Sequential([
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
        tf.keras.layers.Dense(len(WORDS)),
    ])
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(train, epochs=50)


if __name__ == "__main__":
    main()
