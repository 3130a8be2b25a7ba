import functools

import keras
import tensorflow as tf

RATE, SECONDS = 16_000, 3


def cut(path, *, samples):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    wave = tf.squeeze(wave, -1)
    wave = tf.pad(wave, [[0, tf.maximum(samples - tf.size(wave), 0)]])
    start = tf.random.uniform((), 0, tf.size(wave) - samples + 1, tf.int32)
    return tf.ensure_shape(wave[start:start + samples], (samples,)), tf.strings.split(path, "/")[-3]


def features(waves, speakers, *, lookup):
    waves = waves / (tf.reduce_max(tf.abs(waves), axis=1, keepdims=True) + 1e-6)
    spec = tf.abs(tf.signal.stft(waves, 400, 160, 512))
    return tf.math.log(spec + 1e-5), lookup(speakers)


files = tf.io.gfile.glob("/data/voxceleb/*/*/*.wav")
lookup = keras.layers.StringLookup(vocabulary=sorted({f.split("/")[-3] for f in files}), num_oov_indices=0)

train = (
    tf.data.Dataset.from_tensor_slices(files)
    .shuffle(len(files))
    .map(functools.partial(cut, samples=RATE * SECONDS), num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .map(functools.partial(features, lookup=lookup), num_parallel_calls=tf.data.AUTOTUNE)
    .prefetch(tf.data.AUTOTUNE)
)

model = keras.Sequential([
    keras.Input((298, 257)),
    keras.layers.Conv1D(512, 5, activation="relu"),
    keras.layers.Conv1D(512, 3, dilation_rate=2, activation="relu"),
    keras.layers.Conv1D(512, 3, dilation_rate=3, activation="relu"),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(192),
    keras.layers.Dense(lookup.vocabulary_size()),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=40)
