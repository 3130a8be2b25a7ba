import numpy as np
import tensorflow as tf

BATCH, EPOCHS = 128, 20


def load(path):
    blob = np.load(path)
    return blob["spectra"].astype("float32"), blob["mineral"].astype("int64")


def make(spectra, mineral, training):
    ds = tf.data.Dataset.from_tensor_slices((spectra, mineral))
    if training:
        ds = ds.shuffle(len(spectra))
    return ds.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def count(dataset):
    n = dataset.cardinality()
    if n < 0:
        raise ValueError("dataset of unknown size")
    return int(n)


def main():
    train = make(*load("/data/raman/train.npz"), training=True)
    test = make(*load("/data/raman/test.npz"), training=False)
    steps = count(train)
    print(f"{steps} training and {count(test)} test batches")

    rate = tf.keras.optimizers.schedules.PolynomialDecay(2e-3, steps * EPOCHS, 1e-5, power=1.0)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(512, activation="relu"),
            tf.keras.layers.Dropout(0.4),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(60, activation="softmax"),
        ]
    )
    model.compile(
        tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    model.fit(train, epochs=EPOCHS)
    print(model.evaluate(test, return_dict=True))


if __name__ == "__main__":
    main()
