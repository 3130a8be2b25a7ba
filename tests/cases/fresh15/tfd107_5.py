import numpy as np
import tensorflow as tf

BATCH = 1024
AHEAD = 2


class Tabular:
    def __init__(self, path, target):
        blob = np.load(path)
        self.x = blob["features"].astype("float32")
        self.y = blob[target].astype("float32")

    def split(self, fraction=0.1, seed=17):
        order = np.random.default_rng(seed).permutation(len(self.x))
        cut = int(len(order) * fraction)
        return order[cut:], order[:cut]

    def dataset(self, index, training):
        ds = tf.data.Dataset.from_tensor_slices((self.x[index], self.y[index]))
        if training:
            ds = ds.shuffle(len(index))
        return ds.batch(BATCH).prefetch(AHEAD)


def mlp(width, features):
    return tf.keras.Sequential(
        [
            tf.keras.Input((features,)),
            tf.keras.layers.Dense(width, activation="relu"),
            tf.keras.layers.Dropout(0.3),
            tf.keras.layers.Dense(width, activation="relu"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )


def main():
    table = Tabular("/data/credit/default.npz", target="defaulted")
    train_idx, test_idx = table.split()
    model = mlp(256, table.x.shape[1])
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
    model.fit(
        table.dataset(train_idx, True),
        validation_data=table.dataset(test_idx, False),
        epochs=50,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=4, restore_best_weights=True)],
    )


if __name__ == "__main__":
    main()
