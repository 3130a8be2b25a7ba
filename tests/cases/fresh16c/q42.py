"""House price regression from the county export."""
from dataclasses import asdict, dataclass

import pandas as pd
import tensorflow as tf


@dataclass
class FitOptions:
    epochs: int = 40
    verbose: int = 2
    validation_split: float = 0.15


NUMERIC = ["sqft", "lot", "bedrooms", "bathrooms", "year_built", "lat", "lon"]
CATEGORICAL = {"zip": 90, "condition": 6, "roof": 12}


def to_dataset(frame, batch_size=512):
    target = frame.pop("price").to_numpy("float32") / 1e5
    features = {name: frame[name].to_numpy("float32") for name in NUMERIC}
    for name in CATEGORICAL:
        features[name] = frame[name].astype("category").cat.codes.to_numpy("int32")
    ds = tf.data.Dataset.from_tensor_slices((features, target))
    return ds.shuffle(len(target)).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def make_model(frame):
    inputs, encoded = {}, []
    for name in NUMERIC:
        inputs[name] = tf.keras.Input((1,), name=name)
        norm = tf.keras.layers.Normalization()
        norm.adapt(frame[name].to_numpy("float32").reshape(-1, 1))
        encoded.append(norm(inputs[name]))
    for name, size in CATEGORICAL.items():
        inputs[name] = tf.keras.Input((1,), name=name, dtype="int32")
        emb = tf.keras.layers.Embedding(size, 4)(inputs[name])
        encoded.append(tf.keras.layers.Flatten()(emb))
    x = tf.keras.layers.Concatenate()(encoded)
    x = tf.keras.layers.Dense(128, activation="relu")(x)
    x = tf.keras.layers.Dense(64, activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


def main():
    frame = pd.read_csv("king_county_sales.csv").dropna()
    model = make_model(frame)
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    history = model.fit(to_dataset(frame), **asdict(FitOptions()))
    pd.DataFrame(history.history).to_csv("history.csv", index=False)
    model.save("prices.keras")


if __name__ == "__main__":
    main()
