# %% Taxi fares: one CSV file for each day of two years
import tensorflow as tf

CONFIG = {
    "days": "data/taxi/2015-*.csv",
    "open_files": 16,
    "block": 64,
    "batch": 1024,
    "mixed": 100_000,
}
COLUMNS = ("fare", "from_x", "from_y", "to_x", "to_y", "passengers")

# %%
days = tf.data.Dataset.list_files(CONFIG["days"])
trips = days.interleave(
    lambda day: tf.data.TextLineDataset(day).skip(1),
    cycle_length=CONFIG["open_files"],
    block_length=CONFIG["block"],
)


# %%
def columns(lines):
    fare, *rest = tf.io.decode_csv(lines, [[0.0]] * len(COLUMNS))
    return tf.stack(rest, axis=1), fare


train = trips.shuffle(CONFIG["mixed"]).batch(CONFIG["batch"])
train = train.map(columns, num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

# %%
model = tf.keras.Sequential([
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mae")
model.fit(train, epochs=3)
