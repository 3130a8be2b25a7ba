import numpy as np
import tensorflow as tf

WINDOW = 48
BATCH_PER_GPU = 64

series = np.load("load_curve.npy").astype("float32")
split = int(len(series) * 0.8)
mean, std = series[:split].mean(0), series[:split].std(0)
series = (series - mean) / std

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1", "GPU:2", "GPU:3"])
batch_size = BATCH_PER_GPU * strategy.num_replicas_in_sync


def windowed_dataset(data, shuffle):
    ds = tf.data.Dataset.from_tensor_slices(data)
    ds = ds.window(WINDOW + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(WINDOW + 1, drop_remainder=True))
    if shuffle:
        ds = ds.shuffle(20000)
    ds = ds.map(lambda w: (w[:-1], w[-1, :1]), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


train_ds = windowed_dataset(series[:split], True)
val_ds = windowed_dataset(series[split:], False)

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Input((WINDOW, series.shape[1])),
        tf.keras.layers.LSTM(64, return_sequences=True),
        tf.keras.layers.LSTM(32),
        tf.keras.layers.Dense(1),
    ])
    model.compile(optimizer="adam", loss="mse")

model.fit(train_ds, validation_data=val_ds, epochs=25)
