"""ECG beat classification (MIT-BIH), ten-second windows with a majority label."""
import tensorflow as tf
import wfdb

FS = 360
LENGTH = 10 * FS
TRAIN = ["101", "106", "108", "109", "112", "114", "115", "116", "118", "119", "122"]
VALID = ["100", "103", "105", "111", "113"]


def record(name, root="/data/mitdb"):
    signal, _ = wfdb.rdsamp(f"{root}/{name}", channels=[0])
    ann = wfdb.rdann(f"{root}/{name}", "atr")
    odd = [0] * len(signal)
    for pos, sym in zip(ann.sample, ann.symbol):
        odd[pos] = int(sym in "VFESAaJ")
    return tf.data.Dataset.from_tensor_slices((signal.astype("float32"), odd))


def collapse(signal, odd):
    wave = signal.batch(LENGTH, drop_remainder=True).get_single_element()
    wave = (wave - tf.reduce_mean(wave)) / (tf.math.reduce_std(wave) + 1e-6)
    count = odd.reduce(tf.constant(0, tf.int32), lambda n, o: n + tf.cast(o, tf.int32))
    return tf.ensure_shape(wave, (LENGTH, 1)), tf.cast(count > 0, tf.float32)


def windows(names, shift):
    parts = None
    for name in names:
        ds = record(name).window(LENGTH, shift=shift, drop_remainder=True)
        ds = ds.map(collapse, num_parallel_calls=tf.data.AUTOTUNE)
        parts = ds if parts is None else parts.concatenate(ds)
    return parts.cache()


def model():
    inp = tf.keras.Input((LENGTH, 1))
    x = inp
    for ch in (16, 32, 64, 64):
        x = tf.keras.layers.Conv1D(ch, 9, strides=4, padding="same", activation="relu")(x)
        x = tf.keras.layers.BatchNormalization()(x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    train = windows(TRAIN, FS).shuffle(20_000).batch(64).prefetch(tf.data.AUTOTUNE)
    valid = windows(VALID, LENGTH).batch(64).prefetch(tf.data.AUTOTUNE)
    net = model()
    net.compile("adam", "binary_crossentropy", metrics=["AUC"])
    net.fit(train, validation_data=valid, epochs=40)
