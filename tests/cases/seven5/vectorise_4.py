"""House prices: a million sales from a parquet file."""
import pandas as pd
import tensorflow as tf
import keras

NUMERIC = ["area", "lot", "rooms", "age", "lat", "lon"]


def logs(row, price):
    row = dict(row)
    for name in ("area", "lot"):
        row[name] = tf.math.log1p(row[name])
    return row, tf.math.log(price)


def clips(row, price):
    row = dict(row)
    row["rooms"] = tf.clip_by_value(row["rooms"], 1.0, 12.0)
    row["age"] = tf.minimum(row["age"], 150.0) / 150.0
    return row, price


def coordinates(row, price):
    row = dict(row)
    row["lat"] = (row["lat"] - 39.5) / 5.0
    row["lon"] = (row["lon"] + 98.0) / 13.0
    return row, price


FEATURES = [logs, clips, coordinates]


def sales(frame, batch_size=512, training=True):
    columns = {name: frame[name].to_numpy("float32") for name in NUMERIC}
    ds = tf.data.Dataset.from_tensor_slices((columns, frame["price"].to_numpy("float32")))
    if training:
        ds = ds.shuffle(len(frame))
    for fn in FEATURES:
        ds = ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build():
    inputs = {name: keras.Input((1,), name=name) for name in NUMERIC}
    x = keras.layers.Concatenate()(list(inputs.values()))
    for width in (256, 128, 64):
        x = keras.layers.Dense(width, activation="relu")(x)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


def main():
    frame = pd.read_parquet("/data/sales.parquet").sample(frac=1.0, random_state=1)
    cut = int(len(frame) * 0.9)
    model = build()
    model.compile(keras.optimizers.Adam(3e-4), "huber", ["mae"])
    model.fit(sales(frame[:cut]), validation_data=sales(frame[cut:], training=False), epochs=20)


if __name__ == "__main__":
    main()
