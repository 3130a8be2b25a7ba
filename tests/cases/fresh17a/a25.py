import numpy as np
import tensorflow as tf

GENES, BOTTLENECK = 2000, 128


def load_counts(path):
    with np.load(path) as z:
        return np.log1p(z["counts"]).astype("float32"), z["cell_type"].astype("int32")


def project(x, y):
    x = tf.math.l2_normalize(x, axis=-1)
    x = tf.keras.layers.Dense(BOTTLENECK, kernel_initializer="orthogonal", use_bias=False)(x)
    return x, y


def cells(path, batch=256, training=True):
    x, y = load_counts(path)
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    if training:
        ds = ds.shuffle(x.shape[0], reshuffle_each_iteration=True)
    ds = ds.batch(batch).map(project, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def classifier(n):
    return tf.keras.Sequential([
        tf.keras.Input((BOTTLENECK,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dropout(0.4),
        tf.keras.layers.Dense(n, activation="softmax"),
    ])


if __name__ == "__main__":
    train, test = cells("/sc/train.npz"), cells("/sc/test.npz", training=False)
    model = classifier(31)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=30, validation_data=test)
