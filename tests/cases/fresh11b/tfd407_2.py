import numpy as np
import tensorflow as tf


def make_dataset(path, training):
    with np.load(path) as f:
        ds = tf.data.Dataset.from_tensor_slices((f["images"], f["labels"]))
    if training:
        ds = ds.shuffle(60_000)
    ds = ds.batch(128)
    ds = ds.map(lambda x, y: (tf.cast(x[..., None], tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def run(train_path, test_path, holdout=0.1):
    model = build()
    train = make_dataset(train_path, training=True)
    stop = tf.keras.callbacks.EarlyStopping("val_accuracy", patience=2, restore_best_weights=True)
    model.fit(x=train, epochs=20, validation_split=holdout, callbacks=[stop])
    return model.evaluate(make_dataset(test_path, training=False), return_dict=True)


if __name__ == "__main__":
    print(run("/data/fashion/train.npz", "/data/fashion/test.npz"))
