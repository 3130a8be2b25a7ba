import argparse

import numpy as np
import tensorflow as tf

WINDOW = 256


def read_meter(path):
    raw = tf.io.decode_raw(tf.io.read_file(path), tf.float32)
    mean, variance = tf.nn.moments(raw, axes=[0])
    return (raw - mean) / (tf.sqrt(variance) + 1e-6)


def sliding_windows(series):
    frames = tf.signal.frame(series, frame_length=WINDOW + 1, frame_step=1)
    return tf.data.Dataset.from_tensor_slices((frames[:, :-1], frames[:, -1]))


def forecast_data(paths, args):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.map(read_meter, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.interleave(sliding_windows, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
    if args.cache:
        ds = ds.cache()
    ds = ds.shuffle(50_000)
    ds = ds.batch(args.batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="/data/meters")
    parser.add_argument("--batch-size", type=int, default=1024)
    parser.add_argument("--cache", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()

    paths = np.array(sorted(tf.io.gfile.glob(f"{args.root}/*.f32")))
    model = tf.keras.Sequential([
        tf.keras.Input((WINDOW,)),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mae")
    model.fit(forecast_data(paths, args), epochs=20)


if __name__ == "__main__":
    main()
