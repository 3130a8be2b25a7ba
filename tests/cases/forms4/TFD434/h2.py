import numpy as np
import tensorflow as tf

HISTORY = 24

values = np.load("power.npy").astype("float32")
values = (values - values.mean()) / values.std()


def cut(windows):
    return windows[:, :-1], windows[:, -1]


train = tf.keras.utils.timeseries_dataset_from_array(
    values, targets=None, sequence_length=HISTORY + 1, batch_size=64, shuffle=True
)
train = train.map(cut, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((HISTORY,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train, epochs=20)
