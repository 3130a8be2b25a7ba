import numpy as np
import tensorflow as tf

EPOCHS = 30
BATCH = 256
WINDOW = 512


def read_ecg(path):
    blob = np.load(path)
    return blob["signal"].astype("float32")[..., None], blob["rhythm"].astype("int64")


def warp(step, signal, rhythm):
    seed = tf.stack([step, tf.constant(5, tf.int64)])
    scale = tf.random.stateless_uniform([], seed=seed, minval=0.8, maxval=1.2)
    shift = tf.random.stateless_uniform([], seed=seed + 1, minval=0, maxval=WINDOW, dtype=tf.int32)
    noise = tf.random.stateless_normal(tf.shape(signal), seed=seed + 2, stddev=0.02)
    return tf.roll(signal, shift, axis=0) * scale + noise, rhythm


def pipeline(signals, rhythms):
    ds = tf.data.Dataset.from_tensor_slices((signals, rhythms))
    ds = ds.shuffle(len(signals), seed=3).repeat(EPOCHS)
    ds = ds.enumerate()
    ds = ds.map(lambda i, pair: warp(i, *pair), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def network():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((WINDOW, 1)),
            layers.Conv1D(64, 15, strides=2, activation="relu"),
            layers.Conv1D(128, 15, strides=2, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dense(5, activation="softmax"),
        ]
    )


def main():
    signals, rhythms = read_ecg("/data/ecg/mitbih.npz")
    model = network()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        pipeline(signals, rhythms),
        epochs=EPOCHS,
        steps_per_epoch=len(signals) // BATCH,
    )


if __name__ == "__main__":
    main()
