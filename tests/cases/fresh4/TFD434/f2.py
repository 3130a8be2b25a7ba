import pandas as pd
import tensorflow as tf


def visitors(path):
    frame = pd.read_csv(path, parse_dates=["day"], index_col="day")
    weekly = frame["visitors"].resample("W").sum()
    return ((weekly - weekly.mean()) / weekly.std()).to_numpy("float32")


def make_dataset(inputs, outputs, weeks):
    return tf.keras.utils.timeseries_dataset_from_array(
        inputs, outputs, weeks, batch_size=8, shuffle=True
    )


def main(weeks=12):
    series = visitors("museum.csv")
    dataset = make_dataset(inputs=series, outputs=series, weeks=weeks)
    model = tf.keras.Sequential([
        tf.keras.Input((weeks,)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(dataset.prefetch(tf.data.AUTOTUNE), epochs=100)
    model.save("visitors.keras")


if __name__ == "__main__":
    main()
