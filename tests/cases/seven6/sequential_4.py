import datetime as dt

import tensorflow as tf

COLS = ["meter", "ts", "kwh", "temp", "humidity", "price"]
DEFAULTS = [tf.string, tf.int64, 0.0, 0.0, 0.0, 0.0]
WINDOW = 96 * 7


def months(first, last):
    d = first
    while d <= last:
        yield f"/nfs/meters/{d:%Y/%m}.csv.gz"
        d = (d.replace(day=1) + dt.timedelta(days=32)).replace(day=1)


def one_file(path):
    lines = tf.data.TextLineDataset(path, compression_type="GZIP").skip(1)

    def decode(batch):
        cols = dict(zip(COLS, tf.io.decode_csv(batch, DEFAULTS)))
        return tf.stack([cols["kwh"], cols["temp"], cols["humidity"], cols["price"]], axis=-1)

    rows = lines.batch(WINDOW + 1, drop_remainder=True)
    return rows.map(decode, num_parallel_calls=tf.data.AUTOTUNE)


def load(first, last, batch=256):
    files = tf.data.Dataset.from_tensor_slices(list(months(first, last)))
    files = files.shuffle(200)
    windows = files.interleave(one_file, cycle_length=12, block_length=4)
    windows = windows.shuffle(20_000).batch(batch)
    windows = windows.map(lambda w: (w[:, :-1], w[:, -1, :1]), num_parallel_calls=tf.data.AUTOTUNE)
    return windows.prefetch(tf.data.AUTOTUNE)


train = load(dt.date(2014, 1, 1), dt.date(2022, 12, 1))
valid = load(dt.date(2023, 1, 1), dt.date(2023, 12, 1))  # same reader

norm = tf.keras.layers.Normalization()
norm.adapt(train.map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE).take(200))
model = tf.keras.Sequential([
    tf.keras.Input((WINDOW, 4)),
    norm,
    tf.keras.layers.LSTM(256, return_sequences=True),
    tf.keras.layers.LSTM(128),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "huber", metrics=["mae"])
model.fit(train, validation_data=valid, epochs=12,
          callbacks=[tf.keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True)])
model.save("load_forecast.keras")
