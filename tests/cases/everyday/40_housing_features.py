"""Rental prices from a data frame with numeric columns and a district."""
import pandas as pd
import tensorflow as tf

NUMERIC = ["area", "rooms", "floor", "year"]

df = pd.read_csv("data/rents.csv").dropna()
train_df = df.sample(frac=0.8, random_state=0)
valid_df = df.drop(train_df.index)
mean, std = train_df[NUMERIC].mean(), train_df[NUMERIC].std()

districts = sorted(train_df["district"].unique())
district_table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant(districts), tf.range(1, len(districts) + 1)), default_value=0
)


def to_features(row, target):
    numbers = tf.stack([(tf.cast(row[name], tf.float32) - mean[name]) / std[name] for name in NUMERIC])
    words = tf.strings.split(tf.strings.lower(row["description"]))
    return {
        "numbers": numbers,
        "district": district_table.lookup(row["district"]),
        "furnished": tf.cast(tf.reduce_any(tf.equal(words, "furnished")), tf.float32),
    }, tf.math.log(tf.cast(target, tf.float32))


def df_to_dataset(frame, batch_size=64, shuffle=False):
    frame = frame.copy()
    rent = frame.pop("rent")
    ds = tf.data.Dataset.from_tensor_slices((dict(frame), rent.values))
    ds = ds.map(to_features)
    if shuffle:
        ds = ds.shuffle(buffer_size=len(frame))
    ds = ds.batch(batch_size)
    return ds


numbers = tf.keras.Input([len(NUMERIC)], name="numbers")
district = tf.keras.Input([], name="district", dtype=tf.int32)
furnished = tf.keras.Input([], name="furnished")
embedded = tf.keras.layers.Embedding(len(districts) + 1, 8)(district)
x = tf.keras.layers.Concatenate()([numbers, embedded, tf.expand_dims(furnished, -1)])
x = tf.keras.layers.Dense(64, activation="relu")(x)
x = tf.keras.layers.Dense(64, activation="relu")(x)
model = tf.keras.Model([numbers, district, furnished], tf.keras.layers.Dense(1)(x))
model.compile("adam", "mse", metrics=["mae"])

valid_ds = df_to_dataset(valid_df)
model.fit(df_to_dataset(train_df, shuffle=True), validation_data=valid_ds, epochs=40, verbose=2)
print(model.evaluate(valid_ds))
