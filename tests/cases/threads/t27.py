import pandas as pd
import tensorflow as tf

WINDOW_SIZE = 5
FEATURES = ["open", "high", "low", "close", "volume"]

df = pd.read_csv("quotes.csv")
n = int(len(df) * 0.8)
mean, std = df[FEATURES][:n].mean(), df[FEATURES][:n].std()
df[FEATURES] = (df[FEATURES] - mean) / std
train_df, val_df = df[:n][FEATURES + ["target"]].copy(), df[n:][FEATURES + ["target"]].copy()


def df_to_dataset(dataframe, batch_size=32, shuffle=False):
    labels = dataframe.pop("target")
    ds = tf.data.Dataset.from_tensor_slices((dict(dataframe), labels))

    # create moving window
    ds = ds.window(WINDOW_SIZE, shift=1, drop_remainder=True)

    # flatten and group the moving window
    ds = ds.flat_map(lambda window: window.batch(WINDOW_SIZE, drop_remainder=True))

    ds = ds.map(lambda x, y: (tf.stack([tf.cast(x[k], tf.float32) for k in FEATURES], axis=-1), y[-1]),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if shuffle:
        ds = ds.shuffle(10000)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


train_ts = df_to_dataset(train_df, batch_size=90, shuffle=True)
val_ts = df_to_dataset(val_df, batch_size=90)

model = tf.keras.Sequential([
    tf.keras.layers.Input((WINDOW_SIZE, len(FEATURES))),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(train_ts, validation_data=val_ts, epochs=20)
