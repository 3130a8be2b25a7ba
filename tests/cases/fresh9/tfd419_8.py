import numpy as np
import tensorflow as tf


class TurbofanData:
    """C-MAPSS, one run of an engine after the other."""

    def __init__(self, path, length=30, stride=1):
        self.table = np.loadtxt(path, dtype=np.float32)
        self.length, self.stride = length, stride

    def __iter__(self):
        for unit in np.unique(self.table[:, 0]):
            rows = self.table[self.table[:, 0] == unit][:, 2:]
            yield rows

    def sequences(self, rows):
        ds = tf.data.Dataset.from_tensor_slices(rows)
        return ds.window(self.length, shift=self.stride, drop_remainder=True)


class Autoencoder(tf.keras.Model):
    def __init__(self, features=24, length=30):
        super().__init__()
        self.enc = tf.keras.layers.LSTM(32)
        self.rep = tf.keras.layers.RepeatVector(length)
        self.dec = tf.keras.layers.LSTM(32, return_sequences=True)
        self.out = tf.keras.layers.Dense(features)

    def call(self, x):
        return self.out(self.dec(self.rep(self.enc(x))))


def train(data, epochs=20):
    model = Autoencoder()
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        for rows in data:
            for sequence in data.sequences(rows):
                loss = step(tf.expand_dims(sequence, 0))
        print(epoch, float(loss))
    return model


if __name__ == "__main__":
    train(TurbofanData("/data/cmapss/train_FD001.txt")).save_weights("ae.weights.h5")
