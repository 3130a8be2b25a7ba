import csv
import os

import tensorflow as tf

SPLITS = {"train": "training_list.csv", "valid": "validation_list.csv"}
RATE = 16_000


def featurize(path, label):
    wave, _ = tf.audio.decode_wav(
        tf.io.read_file(path), desired_channels=1, desired_samples=RATE)
    stft = tf.signal.stft(wave[:, 0], frame_length=480, frame_step=160)
    return tf.math.log1p(tf.abs(stft)), label


def load_all(root, batch_size=128):
    datasets = {}
    for split, listing in SPLITS.items():
        files, labels = [], []
        with open(os.path.join(root, listing), newline="") as f:
            for row in csv.reader(f):
                files.append(os.path.join(root, row[0]))
                labels.append(int(row[1]))
        ds = tf.data.Dataset.from_tensor_slices((files, labels))
        if split == "train":
            ds = ds.shuffle(len(files))
        ds = ds.map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
        datasets[split] = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
    return datasets


def show_example(path):
    features, _ = featurize(path, 0)
    print("one clip gives", features.shape)


def main():
    root = "/data/speech_commands_v2"
    show_example(os.path.join(root, "yes", "0a7c2a8d_nohash_0.wav"))
    datasets = load_all(root)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(datasets["train"], validation_data=datasets["valid"], epochs=25)


if __name__ == "__main__":
    main()
