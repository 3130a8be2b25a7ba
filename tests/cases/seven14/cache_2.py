"""ESC-50 cross validation: 2000 clips, five folds."""
import csv
import tensorflow as tf

ROOT = "/data/ESC-50-master"
MEL = tf.signal.linear_to_mel_weight_matrix(128, 1025, 44100, 20.0, 22050.0)


def rows(folds):
    with open(f"{ROOT}/meta/esc50.csv") as f:
        picked = [r for r in csv.DictReader(f) if int(r["fold"]) in folds]
    return [f"{ROOT}/audio/{r['filename']}" for r in picked], [int(r["target"]) for r in picked]


def logmel(path, label):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), 1, 220500)
    s = tf.signal.stft(wav[:, 0], 2048, 512, window_fn=tf.signal.hann_window)
    m = tf.math.log(tf.abs(s) ** 2 @ MEL + 1e-8)
    m = (m - tf.reduce_mean(m)) / (tf.math.reduce_std(m) + 1e-6)
    return m[..., tf.newaxis], label


def spec_augment(x, y):
    t = tf.random.uniform([], 0, 400, tf.int32)
    keep = tf.abs(tf.range(tf.shape(x)[1]) - t) > 12
    return x * tf.cast(keep, x.dtype)[tf.newaxis, :, tf.newaxis, tf.newaxis], y


def fold_input(folds, training):
    ds = tf.data.Dataset.from_tensor_slices(rows(folds))
    if training:
        ds = ds.shuffle(2000)
    ds = ds.map(logmel, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
    if training:
        ds = ds.map(spec_augment, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def cnn():
    layers = tf.keras.layers
    body = []
    for w in (32, 64, 128, 256):
        body += [layers.Conv2D(w, 3, padding="same", use_bias=False), layers.BatchNormalization(),
                 layers.ReLU(), layers.MaxPooling2D()]
    return tf.keras.Sequential(body + [layers.GlobalAveragePooling2D(), layers.Dense(50)])


for held_out in range(1, 6):
    model = cnn()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(fold_input(set(range(1, 6)) - {held_out}, True),
              validation_data=fold_input({held_out}, False), epochs=150, verbose=2)
