import pandas as pd
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

OPTIONS = {
    "train": {"shuffle": {"buffer_size": 16, "seed": 42}, "batch": {"batch_size": 512}},
    "valid": {"batch": {"batch_size": 2048}},
}


def from_frame(frame, target):
    frame = frame.copy()
    labels = frame.pop(target)
    return Dataset.from_tensor_slices((frame.to_numpy("float32"), labels.to_numpy("float32")))


def build(frame, target, options):
    ds = from_frame(frame, target)
    if "shuffle" in options:
        ds = ds.shuffle(**options["shuffle"])
    ds = ds.batch(**options["batch"])
    return ds.prefetch(AUTOTUNE)


def main():
    # 2 million trips in the order of their dates.
    trips = pd.read_parquet("/data/taxi/trips.parquet")
    trips = trips.sort_values("pickup").drop(columns="pickup")
    cut = int(len(trips) * 0.9)
    frames = {"train": trips.iloc[:cut], "valid": trips.iloc[cut:]}
    data = {name: build(f, "fare", OPTIONS[name]) for name, f in frames.items()}

    normalizer = tf.keras.layers.Normalization()
    normalizer.adapt(frames["train"].drop(columns="fare").to_numpy("float32"))
    model = tf.keras.Sequential([
        normalizer,
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    model.compile(tf.keras.optimizers.Adam(1e-3), "mae")
    model.fit(
        data["train"], validation_data=data["valid"], epochs=15,
        callbacks=[tf.keras.callbacks.EarlyStopping(patience=3)])


if __name__ == "__main__":
    main()
