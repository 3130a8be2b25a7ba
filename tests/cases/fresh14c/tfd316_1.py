import os

import tensorflow as tf

WORK_DIR = os.environ.get("WORK_DIR", "/tmp/birdsong")
RATE = 22050
LENGTH = RATE * 5


def spectrogram(path, label):
    wave, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=LENGTH)
    stft = tf.signal.stft(tf.squeeze(wave, -1), frame_length=1024, frame_step=512)
    return tf.math.log(tf.abs(stft) + 1e-6)[..., None], label


def read_index(csv_path):
    paths, labels = [], []
    with open(csv_path) as handle:
        for row in handle:
            path, label = row.strip().split(",")
            paths.append(path)
            labels.append(int(label))
    return paths, labels


def make_split(csv_path, batch_size, training):
    paths, labels = read_index(csv_path)
    ds = tf.data.Dataset.from_tensor_slices((paths, labels))
    ds = ds.map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache(os.path.join(WORK_DIR, "spectrograms"))
    if training:
        ds = ds.shuffle(1000)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build(num_classes):
    return tf.keras.Sequential(
        [
            tf.keras.Input([None, 513, 1]),
            tf.keras.layers.Conv2D(16, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(num_classes),
        ]
    )


def main():
    os.makedirs(WORK_DIR, exist_ok=True)
    train = make_split("birds_train.csv", 32, training=True)
    valid = make_split("birds_valid.csv", 32, training=False)
    model = build(24)
    model.compile(
        "adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"]
    )
    model.fit(train, validation_data=valid, epochs=25)


if __name__ == "__main__":
    main()
