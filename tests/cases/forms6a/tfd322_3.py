import csv
import os

import tensorflow as tf

SPLITS = {"train": "training_list.csv", "valid": "validation_list.csv"}
RATE = 16_000
MEL = tf.signal.linear_to_mel_weight_matrix(
    num_mel_bins=40, num_spectrogram_bins=257, sample_rate=RATE)


def featurize(path):
    wave, _ = tf.audio.decode_wav(
        tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    stft = tf.signal.stft(wave[:, 0], frame_length=480, frame_step=160)
    return tf.math.log1p(tf.abs(stft) @ MEL)


def load_all(root):
    datasets = {}
    for split, listing in SPLITS.items():
        features, labels = [], []
        with open(os.path.join(root, listing), newline="") as f:
            for row in csv.reader(f):
                features.append(featurize(os.path.join(root, row[0])))
                labels.append(int(row[1]))
        datasets[split] = tf.data.Dataset.from_tensor_slices(
            (tf.stack(features), tf.constant(labels)))
    return datasets


def finish(ds, training, batch_size=128):
    if training:
        ds = ds.shuffle(20_000)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    datasets = load_all("/data/speech_commands_v2")
    train = finish(datasets["train"], training=True)
    valid = finish(datasets["valid"], training=False)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, validation_data=valid, epochs=25)


if __name__ == "__main__":
    main()
