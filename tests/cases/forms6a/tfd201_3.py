import h5py
import tensorflow as tf

STATIONS = ("north", "south", "harbour", "airport")
LENGTH = 3000


def iter_traces(path, key):
    with h5py.File(path, "r") as h5:
        group = h5[key]
        for name in group:
            yield {"trace": group[name][:LENGTH], "pick": group[name].attrs["p_pick"]}


def crop(row):
    start = tf.random.uniform([], 0, LENGTH - 2048, tf.int32)
    trace = row["trace"][start:start + 2048]
    pick = tf.cast(row["pick"] - start, tf.float32)
    return trace, pick


def build(path):
    spec = {
        "trace": tf.TensorSpec((LENGTH, 3), tf.float32),
        "pick": tf.TensorSpec((), tf.int32),
    }
    per_station = []
    for station in STATIONS:
        ds = tf.data.Dataset.from_generator(
            lambda key=station: iter_traces(path, key), output_signature=spec)
        per_station.append(ds.shuffle(2_000).repeat())
    ds = tf.data.Dataset.sample_from_datasets(per_station)
    ds = ds.map(crop, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(32, 9, strides=2, activation="relu"),
        tf.keras.layers.Conv1D(64, 9, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "huber")
    model.fit(build("/data/stead/waveforms.h5"), steps_per_epoch=2000, epochs=30)


if __name__ == "__main__":
    main()
