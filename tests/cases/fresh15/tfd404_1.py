import numpy as np
import tensorflow as tf

BATCH_SIZE = 64


def load_table(path):
    data = np.genfromtxt(path, delimiter=";", skip_header=1, dtype=np.float32)
    features, quality = data[:, :-1], data[:, -1]
    mean, std = features.mean(axis=0), features.std(axis=0)
    return (features - mean) / std, quality


def make_splits(features, quality, val_fraction=0.2):
    n = len(features)
    n_val = int(n * val_fraction)
    ds = tf.data.Dataset.from_tensor_slices((features, quality))
    ds = ds.shuffle(n, seed=42)
    val = ds.take(n_val)
    train = ds.skip(n_val)
    train = train.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)
    val = val.batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)
    return train, val


def build_model(width):
    return tf.keras.Sequential(
        [
            tf.keras.Input((width,)),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )


def main():
    features, quality = load_table("winequality-white.csv")
    train, val = make_splits(features, quality)
    model = build_model(features.shape[1])
    model.compile("adam", "mse", metrics=["mae"])
    history = model.fit(
        train,
        validation_data=val,
        epochs=100,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=8, restore_best_weights=True)],
    )
    print("best validation MAE", min(history.history["val_mae"]))


if __name__ == "__main__":
    main()
