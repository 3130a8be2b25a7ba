import numpy as np
import tensorflow as tf

TRANSFORMS = {}


def register(fn):
    TRANSFORMS[fn.__name__] = fn
    return fn


@register
def to_float(x, y):
    return tf.cast(x, tf.float32) * (1.0 / 32768.0), y


@register
def mu_law(x, y):
    return tf.sign(x) * tf.math.log1p(255.0 * tf.abs(x)) / tf.math.log(256.0), y


@register
def smooth_labels(x, y):
    return x, tf.one_hot(y, 35) * 0.9 + 0.1 / 35


def pipeline(x, y, names, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x))
    for name in names:
        ds = ds.map(TRANSFORMS[name], num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    with np.load("/data/speech_commands/train.npz") as data:
        x, y = data["audio"], data["label"]
    train = pipeline(x, y, ["to_float", "mu_law", "smooth_labels"], 256)
    model = tf.keras.Sequential([
        tf.keras.layers.Reshape((-1, 1)),
        tf.keras.layers.Conv1D(64, 80, strides=16, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "categorical_crossentropy")
    model.fit(train, epochs=40)


if __name__ == "__main__":
    main()
