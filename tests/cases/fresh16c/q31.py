"""Train one forecaster on hourly air-quality series of several stations."""
import sqlite3

import numpy as np
import tensorflow as tf

DB = "measurements.sqlite"
STATIONS = ["oslo_kirkeveien", "oslo_alnabru", "bergen_danmarksplass", "trondheim_elgeseter"]
WINDOW = 48
HORIZON = 6
BATCH = 128


def load_stats(con, station):
    cur = con.execute("SELECT AVG(pm25), AVG(pm25 * pm25) FROM hourly WHERE station = ?", (station,))
    mean, sq = cur.fetchone()
    return mean, np.sqrt(sq - mean ** 2)


def station_datasets():
    con = sqlite3.connect(DB)
    datasets = []
    for station in STATIONS:
        mean, std = load_stats(con, station)
        print(f"{station}: mean={mean:.2f} std={std:.2f}")

        def rows():
            db = sqlite3.connect(DB)
            query = "SELECT pm25, no2, temp FROM hourly WHERE station = ? ORDER BY ts"
            for pm25, no2, temp in db.execute(query, (station,)):
                yield (pm25 - mean) / std, no2, temp

        ds = tf.data.Dataset.from_generator(
            rows,
            output_signature=tuple(tf.TensorSpec((), tf.float32) for _ in range(3)),
        )
        ds = ds.map(lambda a, b, c: tf.stack([a, b, c]), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.window(WINDOW + HORIZON, shift=1, drop_remainder=True)
        ds = ds.flat_map(lambda w: w.batch(WINDOW + HORIZON))
        ds = ds.map(lambda w: (w[:WINDOW], w[WINDOW:, 0]), num_parallel_calls=tf.data.AUTOTUNE)
        datasets.append(ds)
    con.close()
    return datasets


def build_model():
    return tf.keras.Sequential([
        tf.keras.Input((WINDOW, 3)),
        tf.keras.layers.GRU(64, return_sequences=True),
        tf.keras.layers.GRU(32),
        tf.keras.layers.Dense(HORIZON),
    ])


if __name__ == "__main__":
    parts = station_datasets()
    train = tf.data.Dataset.sample_from_datasets(parts, seed=11)
    train = train.shuffle(20_000).batch(BATCH).prefetch(tf.data.AUTOTUNE)
    model = build_model()
    model.compile(optimizer="adam", loss="mae")
    model.fit(train, epochs=15)
    model.save("pm25.keras")
