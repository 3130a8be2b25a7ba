import numpy as np
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

SOURCES = {"audio": "/data/av/audio.npy", "video": "/data/av/video.npy", "label": "/data/av/label.npy"}


def mixed(ds, buffer):
    return ds.shuffle(buffer, reshuffle_each_iteration=True)


def load_modalities(sources, buffer=20_000):
    parts = {}
    for name, path in sources.items():
        parts[name] = Dataset.from_tensor_slices(np.load(path)).apply(lambda d: mixed(d, buffer))
    return parts


def to_features(parts):
    y = parts["label"]
    return {"audio": parts["audio"], "video": parts["video"]}, y


def make_dataset(batch_size):
    parts = load_modalities(SOURCES)
    ds = Dataset.zip(parts).map(to_features, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


def main():
    audio, video = tf.keras.Input((128,), name="audio"), tf.keras.Input((512,), name="video")
    h = tf.keras.layers.Concatenate()([audio, video])
    h = tf.keras.layers.Dense(256, activation="relu")(h)
    model = tf.keras.Model({"audio": audio, "video": video}, tf.keras.layers.Dense(8, activation="softmax")(h))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(make_dataset(128), epochs=10)


if __name__ == "__main__":
    main()
