"""ECG beat classification (MIT-BIH style), standardised with the statistics of the training set."""
import numpy as np
import tensorflow as tf


class Standardiser:
    def __init__(self):
        self.mean = None
        self.std = None

    def learn(self, ds):
        count, total, square = 0.0, 0.0, 0.0
        for x, _ in ds.batch(4096):
            count += float(tf.size(x))
            total += float(tf.reduce_sum(x))
            square += float(tf.reduce_sum(x * x))
        self.mean = total / count
        self.std = np.sqrt(square / count - self.mean ** 2)
        return self

    def apply(self, ds):
        def fn(x, y):
            return (x - self.mean) / self.std, y
        return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def beats(path):
    with np.load(path) as z:
        return tf.data.Dataset.from_tensor_slices(
            (z["signal"].astype(np.float32)[..., None], z["kind"].astype(np.int32)))


def feed(ds, training, batch=128):
    if training:
        ds = ds.shuffle(100_000)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def cnn():
    layers = [tf.keras.Input((187, 1))]
    for width in (32, 64, 128):
        layers += [
            tf.keras.layers.Conv1D(width, 5, padding="same", activation="relu"),
            tf.keras.layers.MaxPooling1D(2),
        ]
    layers += [tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(5, "softmax")]
    return tf.keras.Sequential(layers)


def main():
    train, test = beats("mitbih_train.npz"), beats("mitbih_test.npz")
    scaler = Standardiser().learn(train)
    for part in (train, test):
        scaler.apply(part)
    model = cnn()
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(feed(train, True), epochs=15)
    print(model.evaluate(feed(test, False), return_dict=True))


if __name__ == "__main__":
    main()
