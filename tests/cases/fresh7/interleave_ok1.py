"""One gzipped log file, read through the same interleave that other sites use for theirs."""
import tensorflow as tf

LOG = "data/turbine.csv.gz"
WIDTH, HORIZON = 48, 6


def open_log(path):
    return tf.data.TextLineDataset(path, compression_type="GZIP").skip(1)


def windows_of(readings):
    windows = readings.window(WIDTH + HORIZON, shift=HORIZON, drop_remainder=True)
    return windows.flat_map(lambda w: w.batch(WIDTH + HORIZON, drop_remainder=True))


def split(window):
    return window[:, :WIDTH], window[:, WIDTH:, 0]


def to_numbers(lines):
    return tf.stack(tf.io.decode_csv(lines, [[0.0]] * 5), axis=-1)


def build_dataset(batch=64):
    logs = tf.data.Dataset.from_tensors(LOG)
    lines = logs.interleave(open_log, cycle_length=1)
    readings = lines.batch(1024).map(to_numbers, num_parallel_calls=tf.data.AUTOTUNE).unbatch()
    ds = windows_of(readings).shuffle(4096).batch(batch)
    return ds.map(split, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(48),
        tf.keras.layers.Dense(HORIZON),
    ])
    model.compile("adam", "mse")
    model.fit(build_dataset(), epochs=10)
    model.save("turbine.keras")


if __name__ == "__main__":
    main()
