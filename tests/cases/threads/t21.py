import pathlib

import tensorflow as tf

data_dir = pathlib.Path("recordings")
commands = sorted(p.name for p in (data_dir / "train").iterdir())


def get_waveform_and_label(file_path):
    label = tf.strings.split(file_path, "/")[-2]
    audio, _ = tf.audio.decode_wav(tf.io.read_file(file_path), desired_channels=1)
    return tf.squeeze(audio, axis=-1), label


def get_spectrogram_and_label(audio, label):
    spectrogram = tf.abs(tf.signal.stft(audio, frame_length=255, frame_step=128))
    label_id = tf.argmax(label == tf.constant(commands))
    return spectrogram[..., tf.newaxis], label_id


def preprocess(split, training):
    files = sorted(str(p) for p in (data_dir / split).glob("*/*.wav"))
    ds = tf.data.Dataset.from_tensor_slices(files)
    if training:
        ds = ds.shuffle(len(files))
    ds = ds.map(get_waveform_and_label, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.map(get_spectrogram_and_label, num_parallel_calls=tf.data.AUTOTUNE)


spectrogram_ds = preprocess("train", True)
val_spectrogram_ds = preprocess("val", False)

model = tf.keras.Sequential([
    tf.keras.layers.Input((None, 129, 1)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(commands)),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(spectrogram_ds.batch(64).prefetch(tf.data.AUTOTUNE),
          validation_data=val_spectrogram_ds.batch(64).prefetch(tf.data.AUTOTUNE),
          epochs=100, callbacks=[tf.keras.callbacks.EarlyStopping(patience=3)])
