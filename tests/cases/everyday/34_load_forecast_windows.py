import numpy as np
import pandas as pd
import tensorflow as tf

INPUT_STEPS = 168
OUTPUT_STEPS = 24
BATCH_SIZE = 64

df = pd.read_csv('data/load.csv', parse_dates=['time'], index_col='time')
n = len(df)
train_df, val_df, test_df = df[:int(n * 0.7)], df[int(n * 0.7):int(n * 0.9)], df[int(n * 0.9):]

train_mean = train_df.mean()
train_std = train_df.std()
train_df = (train_df - train_mean) / train_std
val_df = (val_df - train_mean) / train_std
test_df = (test_df - train_mean) / train_std
LOAD = list(df.columns).index('load')


def split_window(rows):
    return rows[:INPUT_STEPS], rows[INPUT_STEPS:, LOAD]


def make_windows(data, shuffle):
    length = INPUT_STEPS + OUTPUT_STEPS
    ds = tf.data.Dataset.from_tensor_slices(np.asarray(data, dtype=np.float32))
    ds = ds.window(length, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda window: window.batch(length, drop_remainder=True))
    ds = ds.map(split_window)
    if shuffle:
        ds = ds.shuffle(5000)
    return ds.batch(BATCH_SIZE)


model = tf.keras.Sequential([
    tf.keras.layers.LSTM(64, return_sequences=True, input_shape=(INPUT_STEPS, len(df.columns))),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(OUTPUT_STEPS),
])
model.compile(loss=tf.keras.losses.MeanSquaredError(),
              optimizer=tf.keras.optimizers.Adam(),
              metrics=[tf.keras.metrics.MeanAbsoluteError()])

model.fit(make_windows(train_df, True), epochs=20,
          validation_data=make_windows(val_df, False),
          callbacks=[tf.keras.callbacks.EarlyStopping(monitor='val_loss', patience=2, mode='min')])

mse, mae = model.evaluate(make_windows(test_df, False))
print('test MAE in MW: %.1f' % (mae * train_std['load']))
