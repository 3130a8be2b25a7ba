import numpy as np
import tensorflow as tf

SETTINGS = {
    "frame_length": 1024,
    "frame_step": 128,
    "samples": 160_000,
    "batch_size": 32,
    "shuffle": {"buffer_size": 8_000, "seed": 5},
}


def with_spectrogram(settings):
    def fn(path, label):
        wave, _ = tf.audio.decode_wav(
            tf.io.read_file(path), desired_channels=1,
            desired_samples=settings["samples"])
        stft = tf.signal.stft(
            wave[:, 0], settings["frame_length"], settings["frame_step"])
        return tf.math.log1p(tf.abs(stft)), label
    return fn


def prepare(ds, settings, training):
    ds = ds.map(with_spectrogram(settings), num_parallel_calls=tf.data.AUTOTUNE)
    return randomize(ds, settings) if training else ds


def randomize(ds, settings):
    return ds.shuffle(**settings["shuffle"])


def batches(csv, settings, training):
    table = np.loadtxt(csv, delimiter=",", dtype=str, skiprows=1)
    ds = tf.data.Dataset.from_tensor_slices((table[:, 0], table[:, 1].astype(np.int32)))
    ds = prepare(ds, settings, training)
    return ds.batch(settings["batch_size"]).prefetch(tf.data.AUTOTUNE)


def main():
    data = {
        split: batches(f"/data/birdsong/{split}.csv", SETTINGS, split == "train")
        for split in ("train", "valid")
    }
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(128, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv1D(128, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(397, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data["train"], validation_data=data["valid"], epochs=50)


if __name__ == "__main__":
    main()
