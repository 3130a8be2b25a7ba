import numpy as np
import pandas as pd
import tensorflow as tf

NUMERIC = ["tenure", "monthly", "calls", "data_gb", "complaints"]
TARGET = "churned"


class ChurnEstimator:
    """sklearn-like facade, so that the team's scripts need not change."""

    def __init__(self, hidden=(64, 32), batch_size=512, epochs=15):
        self.hidden = hidden
        self.batch_size = batch_size
        self.epochs = epochs
        self.norm = tf.keras.layers.Normalization()

    def _network(self):
        inp = tf.keras.Input((len(NUMERIC),))
        x = self.norm(inp)
        for units in self.hidden:
            x = tf.keras.layers.Dense(units, activation="relu")(x)
        out = tf.keras.layers.Dense(1, activation="sigmoid")(x)
        net = tf.keras.Model(inp, out)
        net.compile("adam", "binary_crossentropy", weighted_metrics=["AUC"])
        return net

    def _feed(self, frame, training):
        x = frame[NUMERIC].to_numpy(np.float32)
        y = frame[TARGET].to_numpy(np.float32)[:, None]
        ds = tf.data.Dataset.from_tensor_slices((x, y))
        if training:
            ds = ds.shuffle(len(frame))
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)

    def fit(self, frame, importance=None):
        self.norm.adapt(frame[NUMERIC].to_numpy(np.float32))
        self.model = self._network()
        extra = {}
        if importance is not None:
            extra["sample_weight"] = np.asarray(importance, np.float32)
        self.model.fit(self._feed(frame, True), epochs=self.epochs, **extra)
        return self

    def score(self, frame):
        return self.model.evaluate(self._feed(frame, False), return_dict=True)


def revenue_weight(frame):
    w = frame["monthly"].clip(5, 200)
    return w / w.mean()


if __name__ == "__main__":
    train = pd.read_parquet("churn_train.parquet")
    test = pd.read_parquet("churn_test.parquet")
    est = ChurnEstimator().fit(train, importance=revenue_weight(train))
    print(est.score(test))
