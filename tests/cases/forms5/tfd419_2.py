import pandas as pd
import tensorflow as tf


class SensorWindows:
    def __init__(self, csv, length, stride):
        frame = pd.read_csv(csv)
        self.y = frame.pop("rul").to_numpy("float32")
        self.x = frame.to_numpy("float32")
        self.length = length
        self.stride = stride

    def dataset(self):
        ds = tf.data.Dataset.from_tensor_slices((self.x, self.y))
        return ds.window(self.length, shift=self.stride, drop_remainder=True)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = tf.keras.layers.GRU(64)
        self.head = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.head(self.rnn(x, training=training))


net = Net()
optimizer = tf.keras.optimizers.Adam()


def step(x, y):
    with tf.GradientTape() as tape:
        pred = net(tf.expand_dims(x, 0), training=True)
        loss = tf.reduce_mean(tf.square(pred[:, 0] - y[-1]))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


windows = SensorWindows("/data/cmapss/train.csv", 30, 5)
for epoch in range(50):
    for x, y in windows.dataset():
        loss = step(x, y)
    print(epoch, float(loss))
