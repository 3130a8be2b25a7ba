import tensorflow as tf

COLUMNS = ["timestamp", "open", "high", "low", "close", "volume"]
PRICES = ["open", "high", "low", "close", "volume"]

dataset = tf.data.experimental.make_csv_dataset(
    file_pattern="/path/stock/*1min*.csv",
    batch_size=1,
    num_epochs=1,
    shuffle=False,
    header=False,
    column_names=COLUMNS,
    column_defaults=[tf.string, tf.float32, tf.float32, tf.float32, tf.float32, tf.float32],
).window(
    size=5,  # Number of rows per window
    shift=1,  # Stride for overlapping windows
    stride=1,
    drop_remainder=True,
)


def to_example(window):
    x = tf.stack([window[name][:-1] for name in PRICES], axis=-1)
    y = window["close"][-1]
    return x, y


dataset = dataset.map(to_example, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.shuffle(10000).batch(64).prefetch(tf.data.AUTOTUNE)

normalizer = tf.keras.layers.Normalization(axis=-1)
normalizer.adapt(dataset.map(lambda x, y: x))

model = tf.keras.Sequential([
    tf.keras.layers.Input((4, len(PRICES))),
    normalizer,
    tf.keras.layers.GRU(32),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(dataset, epochs=5)
