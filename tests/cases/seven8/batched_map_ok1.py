"""ECG arrhythmia (PTB-XL + MIMIC) with per-recording standardization."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
LEADS, LENGTH, CLASSES = 12, 5000, 71
SPEC = {
    "signal": tf.io.VarLenFeature(tf.float32),
    "labels": tf.io.FixedLenFeature([CLASSES], tf.float32),
}


def parse(rec):
    ex = tf.io.parse_single_example(rec, SPEC)
    sig = tf.reshape(tf.sparse.to_dense(ex["signal"]), [-1, LEADS])
    sig = sig[:LENGTH]
    pad = LENGTH - tf.shape(sig)[0]
    sig = tf.ensure_shape(tf.pad(sig, [[0, pad], [0, 0]]), [LENGTH, LEADS])
    return sig, ex["labels"]


def standardize(sig, labels):
    # Statistics of this recording only.
    mean = tf.reduce_mean(sig)
    std = tf.math.reduce_std(sig)
    return (sig - mean) / (std + 1e-6), labels


def build(pattern, batch_size, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE)
    if training:
        ds = ds.shuffle(8192)
    ds = ds.map(standardize, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=training)
    return ds.prefetch(AUTOTUNE)


def resnet1d():
    inp = tf.keras.Input((LENGTH, LEADS))
    x = tf.keras.layers.Conv1D(64, 16, strides=2, padding="same")(inp)
    for ch in (64, 128, 196, 256):
        y = tf.keras.layers.Conv1D(ch, 16, strides=4, padding="same")(x)
        y = tf.keras.layers.ReLU()(tf.keras.layers.BatchNormalization()(y))
        y = tf.keras.layers.Conv1D(ch, 16, padding="same")(y)
        s = tf.keras.layers.Conv1D(ch, 1, strides=4, padding="same")(x)
        x = tf.keras.layers.ReLU()(tf.keras.layers.Add()([y, s]))
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(CLASSES)(x))


if __name__ == "__main__":
    model = resnet1d()
    model.compile(tf.keras.optimizers.Adam(1e-3),
                  tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(multi_label=True, from_logits=True)])
    model.fit(build("/data/ecg/train-*", 64, True),
              validation_data=build("/data/ecg/val-*", 64, False), epochs=70)
