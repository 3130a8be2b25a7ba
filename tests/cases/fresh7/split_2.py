# %% [markdown]
# # Household power: predict the next hour from the last day

# %%
import numpy as np
import tensorflow as tf

series = np.load("data/power.npy").astype("float32")  # (hours, channels)
series = (series - series.mean(0)) / series.std(0)
DAY, FOLDS = 24, 5
rng = np.random.default_rng(2021)

# %%
starts = np.arange(len(series) - DAY)


def windows():
    for s in rng.permutation(starts):
        yield series[s:s + DAY], series[s + DAY, 0]


ds = tf.data.Dataset.from_generator(
    windows,
    output_signature=(
        tf.TensorSpec((DAY, series.shape[1]), tf.float32),
        tf.TensorSpec((), tf.float32),
    ),
)

# %% every fifth window is for validation
val = (
    ds.enumerate()
    .filter(lambda i, xy: i % FOLDS == 0)
    .map(lambda i, xy: xy, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(256)
    .prefetch(tf.data.AUTOTUNE)
)
train = (
    ds.enumerate()
    .filter(lambda i, xy: i % FOLDS != 0)
    .map(lambda i, xy: xy, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(256)
    .prefetch(tf.data.AUTOTUNE)
)

# %%
model = tf.keras.Sequential([tf.keras.layers.LSTM(48), tf.keras.layers.Dense(1)])
model.compile("adam", "mae")
history = model.fit(train, validation_data=val, epochs=25,
                    callbacks=[tf.keras.callbacks.EarlyStopping(patience=3)])
