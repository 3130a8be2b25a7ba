import numpy as np
import tensorflow as tf

table = np.load("/data/stations.npz")


def great_circle(lat, lon, lat0=52.5, lon0=13.4):
    lat, lon, lat0, lon0 = map(np.radians, (lat, lon, lat0, lon0))
    return 6371 * np.arccos(np.clip(
        np.sin(lat) * np.sin(lat0) + np.cos(lat) * np.cos(lat0) * np.cos(lon - lon0), -1, 1))


distance = great_circle(table["lat"], table["lon"]).astype(np.float32)
wanted = np.stack([distance, table["alt"], table["temp"]], axis=1).astype(np.float32)


def jitter(x, y):
    return x + tf.random.normal(tf.shape(x), stddev=0.01), y


ds = tf.data.Dataset.from_tensor_slices((wanted, table["rain"].astype(np.float32)))
ds = ds.shuffle(len(wanted)).batch(256)
ds = ds.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=50)
