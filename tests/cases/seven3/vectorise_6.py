# %%
import numpy as np
import tensorflow as tf

frames = np.load("/kaggle/input/turbine/scada.npz")
sensors, power = frames["sensors"].astype("float32"), frames["power"].astype("float32")
mu, sigma = sensors.mean(0), sensors.std(0) + 1e-6
LOOKBACK, BATCH = 144, 256

# %%
starts = np.arange(len(sensors) - LOOKBACK)
split = int(len(starts) * 0.85)
sensors_t, power_t = tf.constant(sensors), tf.constant(power)


def gather(start):
    window = sensors_t[start:start + LOOKBACK]
    return tf.ensure_shape(window, (LOOKBACK, sensors.shape[1])), power_t[start + LOOKBACK]


@tf.function
def standardise(window, target):
    window = (window - mu) / sigma
    return tf.clip_by_value(window, -5.0, 5.0), tf.math.log1p(tf.nn.relu(target))


def pipeline(index, training):
    ds = tf.data.Dataset.from_tensor_slices(index)
    if training:
        ds = ds.shuffle(len(index))
    return (ds
            .map(gather, num_parallel_calls=tf.data.AUTOTUNE)
            .map(standardise, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(BATCH, drop_remainder=training)
            .prefetch(tf.data.AUTOTUNE))


# %%
model = tf.keras.Sequential([
    tf.keras.Input((LOOKBACK, sensors.shape[1])),
    tf.keras.layers.LSTM(64, return_sequences=True),
    tf.keras.layers.LSTM(32),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "huber", metrics=["mae"])
model.fit(pipeline(starts[:split], True), validation_data=pipeline(starts[split:], False), epochs=15)
