import tensorflow as tf


def monthly_sales():
    return [
        112.0, 118.0, 132.0, 129.0, 121.0, 135.0, 148.0, 148.0, 136.0, 119.0, 104.0, 118.0,
        115.0, 126.0, 141.0, 135.0, 125.0, 149.0, 170.0, 170.0, 158.0, 133.0, 114.0, 140.0,
    ]


def windows(values, history=24, horizon=6):
    size = history + horizon
    ds = tf.data.Dataset.from_tensor_slices(values)
    ds = ds.window(size, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(size, drop_remainder=True))
    return ds.map(
        lambda w: (w[:history], w[history:]), num_parallel_calls=tf.data.AUTOTUNE
    )


train = windows(monthly_sales())
train = train.shuffle(64).batch(4).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((24,)),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(6),
])
model.compile("adam", "mae")
model.fit(train, epochs=50)
