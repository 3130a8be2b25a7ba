import numpy as np
import tensorflow as tf

NUM_FOLDS = 5


def to_spectrogram(path, label):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=48000)
    frames = tf.signal.stft(tf.squeeze(wav, -1), frame_length=1024, frame_step=256)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 513, 16000)
    return tf.math.log(tf.abs(frames) @ mel + 1e-6), label


def fold_of(ds, index, fold_size):
    val = ds.skip(index * fold_size).take(fold_size)
    rest = ds.take(index * fold_size).concatenate(ds.skip((index + 1) * fold_size))
    return rest, val


def finish(ds, training):
    if training:
        ds = ds.shuffle(2000)
    return ds.batch(64, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def build_model():
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(128, return_sequences=True),
        tf.keras.layers.GRU(128),
        tf.keras.layers.Dense(50),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    return model


def cross_validate(paths, labels):
    order = np.random.default_rng(0).permutation(len(paths))
    ds = tf.data.Dataset.from_tensor_slices((paths[order], labels[order]))
    ds = ds.map(to_spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    scores = []
    for index in range(NUM_FOLDS):
        train, val = fold_of(ds, index, len(paths) // NUM_FOLDS)
        model = build_model()
        model.fit(finish(train, True), epochs=15)
        scores.append(model.evaluate(finish(val, False))[1])
    return np.mean(scores)
