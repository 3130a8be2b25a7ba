from functools import partial

import tensorflow as tf

RATE = 22050
MELS = 96


def mel(record, *, rate, mels, hop):
    ex = tf.io.parse_single_example(record, {
        "pcm": tf.io.FixedLenFeature([], tf.string),
        "genre": tf.io.FixedLenFeature([], tf.int64),
    })
    wave, _ = tf.audio.decode_wav(ex["pcm"], desired_channels=1, desired_samples=rate * 30)
    stft = tf.abs(tf.signal.stft(wave[:, 0], 2048, hop))
    weights = tf.signal.linear_to_mel_weight_matrix(mels, 1025, rate, 40.0, rate / 2.0)
    return tf.math.log1p(tf.matmul(stft, weights)), ex["genre"]


clip = partial(mel, rate=RATE, mels=MELS, hop=512)

STEPS = [
    ("shuffle", (1000,), {"seed": 1}),
    ("map", (clip,), {"deterministic": False}),
    ("batch", (24,), {"drop_remainder": True}),
    ("prefetch", (tf.data.AUTOTUNE,), {}),
]


def assemble(files):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), seed=1)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    for method, args, kwargs in STEPS:
        ds = getattr(ds, method)(*args, **kwargs)
    return ds


def main():
    files = tf.io.gfile.glob("gs://music-bucket/fma/train-*.tfrecord")
    data = assemble(files)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.MaxPool1D(4),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(16),
    ])
    model.compile(
        tf.keras.optimizers.Adam(5e-4),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data, epochs=25)


main()
